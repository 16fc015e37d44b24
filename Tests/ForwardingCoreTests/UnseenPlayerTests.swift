import ControlWire
import ForwardingCore
import MediaBase
import Testing

@testable import ChannelCore

@Suite("Players by WebRTC in a communication channel")
struct UnseenPlayerTests {
  private static func webRTC(plays: Bool) -> WebRTCJoin {
    let ssrcs = TrackSSRCs(audio: 1, video: 2, videoRTX: 3)
    return WebRTCJoin(
      fingerprint: [UInt8](repeating: 1, count: 32), format: ForwardedFormat(RTPParameters()), sendSSRCs: ssrcs,
      receiveSSRCs: plays ? ssrcs : nil, wantedUID: plays ? 1 : nil)
  }

  @Test("others are told of a publisher, and never of a player")
  func unseen() {
    var directory = directory()
    _ = directory.join(joinRequest(1, profile: .communication), client: 1)
    directory.join(
      joinRequest(0, profile: .communication, role: .audience, publish: .none), grant: .unlimited, client: 2,
      webRTC: Self.webRTC(plays: true), now: .zero)
    #expect(directory.deliveries().map(\.client) == [2])
    directory.join(
      joinRequest(7, profile: .communication, subscribe: Subscription(everyone: .none)), grant: .unlimited,
      client: 3, webRTC: Self.webRTC(plays: false), now: .zero)
    #expect(directory.deliveries().map(\.client).sorted() == [1, 3])
    directory.remove(2, reason: .quit)
    #expect(directory.deliveries().isEmpty)
  }
}
