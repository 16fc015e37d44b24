import MediaBase
import RTPWire

extension [UInt8] {
  /// What `body` writes, at most `capacity` bytes.
  init(capacity: Int, writing body: (inout OutputRawSpan) -> Void) {
    self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      var output = OutputRawSpan(buffer: memory, initializedCount: 0)
      body(&output)
      count = output.finalize(for: memory)
    }
  }
}

/// The header extensions of a packet that is being made (RFC 8285, one-byte form).
struct OutgoingExtensions {
  var transportSequenceNumber: (id: UInt8, number: UInt16)?
  var audioLevel: (id: UInt8, level: UInt8)?
  /// In the form of NTP timestamps.
  var captureTime: (id: UInt8, time: UInt64)?

  private var elementBytes: Int {
    (transportSequenceNumber == nil ? 0 : 3) + (audioLevel == nil ? 0 : 2) + (captureTime == nil ? 0 : 9)
  }

  var isEmpty: Bool { elementBytes == 0 }

  var byteCount: Int { isEmpty ? 0 : RTPHeaderExtension.blockByteCount(elementBytes: elementBytes) }

  /// Where the transport-wide number lies in a packet without contributing sources; `nil` without one.
  var numberOffset: Int? {
    guard transportSequenceNumber != nil else { return nil }
    return RTPHeader.byteCount + 4 + (audioLevel == nil ? 0 : 2) + 1
  }

  @_lifetime(output: copy output)
  func write(into output: inout OutputRawSpan) {
    guard !isEmpty else { return }
    RTPHeaderExtension.writePrefix(elementBytes: elementBytes, into: &output)
    if let (id, level) = audioLevel {
      RTPHeaderExtension.writeAudioLevel(id: id, level: level, voice: level < 127, into: &output)
    }
    if let (id, number) = transportSequenceNumber {
      RTPHeaderExtension.writeTransportSequenceNumber(id: id, number, into: &output)
    }
    if let (id, time) = captureTime {
      RTPHeaderExtension.writeElement(id: id, byteCount: 8, twoByteForm: false, into: &output)
      output.appendBigEndian(time)
    }
    RTPHeaderExtension.writePadding(elementBytes: elementBytes, into: &output)
  }
}
