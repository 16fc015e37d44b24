import MediaBase
import RTPWire
import Testing

/// What `body` writes into a buffer of `capacity` bytes.
func written(capacity: Int = 1_500, _ body: (inout OutputRawSpan) -> Void) -> [UInt8] {
  var storage = [UInt8](repeating: 0, count: capacity)
  let count = storage.withUnsafeMutableBytes { buffer in
    var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
    body(&output)
    return output.finalize(for: buffer)
  }
  return Array(storage.prefix(count))
}

/// `#expect` whose argument may borrow spans, which the macro's expansion cannot.
func check(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: sourceLocation)
}

// A span must be taken of a named array: one of a temporary literal does not keep the literal's storage alive here.

func kind(of bytes: [UInt8]) -> DatagramKind { DatagramKind.classify(bytes.span.bytes) }

func opusSampleCount(_ bytes: [UInt8]) throws -> Int { try OpusTOC.sampleCount(of: bytes.span.bytes) }

func frameHeader(_ bytes: [UInt8]) throws -> VP8FrameHeader { try VP8FrameHeader(parsing: bytes.span.bytes) }

func firstPacket(_ bytes: [UInt8]) throws -> RTCPPacketLayout {
  try RTCPPacketLayout(parsing: bytes.span.bytes, at: 0)
}
