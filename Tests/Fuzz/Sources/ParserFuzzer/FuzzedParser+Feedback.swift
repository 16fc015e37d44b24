import MediaBase
import RTPWire

extension FuzzedParser {
  /// Reads transport-wide feedback; what has been read must come back from what is written of it.
  static func parseTransportFeedback(_ bytes: RawSpan) {
    guard let layout = try? RTCPPacketLayout(parsing: bytes, at: 0),
      let feedback = try? TransportFeedback(parsing: bytes, at: layout)
    else { return }
    var count = 0
    let packet = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, initializedCount in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      var output = OutputRawSpan(buffer: memory, initializedCount: 0)
      count = feedback.write(into: &output)
      initializedCount = output.finalize(for: memory)
    }
    guard count > 0 else { return }
    let written = packet.span.bytes
    guard let again = try? RTCPPacketLayout(parsing: written, at: 0),
      let copy = try? TransportFeedback(parsing: written, at: again)
    else { fatalError("what was written cannot be read") }
    precondition(
      copy.results.map(Self.comparable) == feedback.results.prefix(count).map(Self.comparable),
      "what was written says something else")
  }

  /// Arrival times are told modulo 2^24 * 64 ms.
  private static func comparable(_ result: TransportFeedback.PacketResult) -> [Int64] {
    let period: Int64 = (1 << 24) * 64_000_000
    let time = result.arrivalTime.map { (($0.nanoseconds % period) + period) % period }
    return [Int64(result.sequenceNumber), time ?? -1]
  }
}
