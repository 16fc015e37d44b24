import MediaBase
import RTPWire
import Testing

@testable import RTPSession

@Suite struct ProbeTests {
  @Test("probes go as retransmissions of the video that is sent, not of one that might be")
  func probesOfTheStreamThatSends() {
    let bench = SessionBench(seed: 4, probes: true)
    // A smaller encoding that nobody has asked for, whose number comes first.
    bench.sender.addSendStream(kind: .video, ssrc: 5, rtxSSRC: 6)
    bench.sender.setSendDemand(3_000_000, now: bench.now)
    bench.stream(pictures: 2)
    bench.recordsSender = true
    bench.stream(pictures: 90)
    let packets = bench.sentBySender.filter { $0.kind == .rtp }.map(\.bytes)
    func count(_ ssrc: UInt32) -> Int { packets.count { $0.count >= 12 && $0.span.bytes.uint32(at: 8) == ssrc } }
    #expect(count(6) == 0 && count(SessionBench.rtxSSRC) > 10)
  }
}
