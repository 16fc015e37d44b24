import ICEAgent
import LinuxIO
import MediaBase
import RTPWire
import SecureChannel

extension MediaClient {
  /// Does what is due: checks, a handshake's repetitions, reports. Called ten times a second.
  func handleTimeout(now: MediaInstant) {
    ice?.handleTimeout(now: now)
    if let due = dtls?.nextTimeout, due <= now {
      dtls?.handleTimeout(now: now)
      takeHandshakeState()
    }
    transmit(now: now)
    guard !publishes, let remote, isConnected.load(ordering: .relaxed) else { return }
    if !arrivals.isEmpty { sendRTCP(to: remote) { writeFeedback(into: &$0) } }
    if nextReport <= now {
      nextReport = now + .seconds(Int64(1))
      sendRTCP(to: remote) { writeReport(into: &$0) }
    }
  }

  private func sendRTCP(to remote: TransportAddress, _ body: (inout OutputRawSpan) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1_500, alignment: 16) { buffer in
      let plain = UnsafeMutableRawBufferPointer(rebasing: buffer[..<1_400])
      var output = OutputRawSpan(buffer: plain, initializedCount: 0)
      body(&output)
      let count = output.finalize(for: plain)
      guard count > 0, let length = try? sender?.protectRTCP(buffer, length: count) else { return }
      socket.send(UnsafeRawBufferPointer(rebasing: buffer[..<length]), to: remote)
    }
  }

  private func writeReport(into output: inout OutputRawSpan) {
    let blocks = highest.sorted { $0.key < $1.key }.prefix(31).map { ssrc, index in
      RTCPReportBlock(
        ssrc: ssrc, fractionLost: 0, cumulativeLost: 0,
        extendedHighestSequenceNumber: UInt32(truncatingIfNeeded: index), jitter: 10, lastSenderReport: 0,
        delaySinceLastSenderReport: 0)
    }
    _ = RTCPReport(ssrc: ssrcs.audio, blocks: Array(blocks)).write(into: &output)
    _ = RTCPSource.writeDescription(ssrc: ssrcs.audio, cname: "bench", into: &output)
  }

  private func writeFeedback(into output: inout OutputRawSpan) {
    let sorted = arrivals.sorted { Int16(bitPattern: $0.sequenceNumber &- $1.sequenceNumber) < 0 }
    arrivals.removeAll(keepingCapacity: true)
    guard let first = sorted.first, let last = sorted.last else { return }
    let times = Dictionary(sorted.map { ($0.sequenceNumber, $0.time) }, uniquingKeysWith: { old, _ in old })
    let span = min(last.sequenceNumber &- first.sequenceNumber, 500)
    let results = (0...span).map { step in
      let number = first.sequenceNumber &+ step
      return TransportFeedback.PacketResult(sequenceNumber: number, arrivalTime: times[number])
    }
    let feedback = TransportFeedback(
      senderSSRC: ssrcs.audio, mediaSSRC: highest.keys.min() ?? 0, feedbackCount: feedbackCount, results: results)
    feedbackCount &+= 1
    _ = feedback.write(into: &output)
  }
}
