import CongestionControl
import MediaBase
import RTPWire

extension FuzzedParser {
  /// Takes the bytes for what happens to a sender of packets: each byte is a packet, a wait, a report, or the length of a
  /// feedback that follows. The estimate must stay in its range.
  static func estimateBandwidth(_ bytes: RawSpan) {
    var now = MediaInstant.zero + .seconds(1 as Int64)
    var estimator = BandwidthEstimator(configuration: .init(maximumBitrate: 20_000_000), now: now)
    var pacer = Pacer(now: now)
    var (number, offset): (UInt16, Int) = (0, 0)
    estimator.startProbing(now: now)
    while offset < bytes.byteCount {
      let byte = bytes.uint8(at: offset)
      offset += 1
      switch byte {
      case ..<128:
        if !pacer.isProbing, let cluster = estimator.pollProbe() { pacer.begin(cluster, now: now) }
        let size = Int(byte) * 12
        estimator.sent(number, byteCount: size, cluster: pacer.cluster, now: now)
        pacer.sent(byteCount: size, now: now)
        number &+= 1
      case ..<160: now = now + .milliseconds(Int64(byte - 127))
      case ..<164: now = now + .seconds(Int64(1) << Int64(byte - 150))
      case ..<168: estimator.received(remoteBitrate: UInt64(1) << UInt64((byte - 163) * 15), now: now)
      case ..<172:
        estimator.received(
          fractionLost: Double(byte - 168) / 2, packetCount: Int(byte), roundTripTime: .milliseconds(Int64(byte)),
          now: now)
      case ..<176: estimator.setDemand(Int(1) << Int((byte - 171) * 15), now: now)
      default:
        let end = min(offset + Int(byte - 175) * 4, bytes.byteCount)
        let part = bytes.extracting(offset..<end)
        if let layout = try? RTCPPacketLayout(parsing: part, at: 0),
          let feedback = try? TransportFeedback(parsing: part, at: layout)
        {
          estimator.received(feedback, now: now)
          offset = end
        }
      }
      estimator.handleTimeout(now: now)
      if let target = estimator.targetBitrate, !(30_000...20_000_000).contains(target) {
        fatalError("a rate of \(target)")
      }
      pacer.setRate(targetBitrate: estimator.targetBitrate)
      _ = pacer.next(of: [.video, .padding], now: now)
    }
  }
}
