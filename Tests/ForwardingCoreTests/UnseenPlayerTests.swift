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
    #expect(directory.deliveries().map(\.client) == [3])
    directory.connected(2)
    #expect(directory.deliveries().map(\.client) == [2])
    directory.connected(3)
    #expect(directory.deliveries().map(\.client).sorted() == [1, 3])
    directory.remove(2, reason: .quit)
    #expect(directory.deliveries().isEmpty)
  }

  @Test("a publisher whose media connection never comes is told to nobody, and takes nobody's place")
  func neverConnected() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    func offer(_ uid: UInt, client: UInt64) {
      directory.join(
        joinRequest(uid, subscribe: Subscription(everyone: .none)), grant: .unlimited, client: client,
        webRTC: Self.webRTC(plays: false), now: .zero)
    }
    offer(7, client: 2)
    // The same user offers once more.
    offer(7, client: 3)
    #expect(directory.deliveries().filter { $0.client == 1 }.isEmpty)
    #expect(directory.summaries.map(\.broadcasters) == [[1]])
    directory.connected(3)
    let told = directory.deliveries().filter { $0.client == 1 }
    guard case .userJoined(let user)? = told.first?.response else {
      Issue.record("\(told)")
      return
    }
    #expect(told.count == 1 && user.uid == 7 && user.published == bothTracks)
    // Who takes the place of one who is seen stays seen, until it is clear that it never comes.
    offer(7, client: 4)
    let handedOver = directory.deliveries().filter { $0.client == 1 }
    #expect(handedOver.count == 1 && directory.summaries.map(\.broadcasters) == [[1, 7]])
    if case .userJoined? = handedOver.first?.response {} else { Issue.record("\(handedOver)") }
    directory.connected(4)
    #expect(directory.deliveries().filter { $0.client == 1 }.isEmpty)
    offer(8, client: 5)
    directory.clientClosed(5, now: .zero)
    #expect(directory.deliveries().filter { $0.client == 1 }.isEmpty)
  }

  @Test("an audience comes and goes without a look at the rest of it", arguments: [false, true])
  func comingAndGoing(isPlayer: Bool) {
    var directory = directory(maximumUserCount: 10_000)
    for host in 1...UInt64(3) { _ = directory.join(joinRequest(UInt(host)), client: host) }
    func work(_ audience: Range<UInt64>) -> Int {
      let before = directory.lookCount
      for client in audience {
        directory.join(
          joinRequest(0, role: .audience, publish: .none), grant: .unlimited, client: client,
          webRTC: isPlayer ? Self.webRTC(plays: true) : nil, now: .zero)
      }
      for client in audience.dropFirst(audience.count / 2) { directory.remove(client, reason: .quit) }
      _ = directory.deliveries()
      return directory.lookCount - before
    }
    #expect(work(100..<200) == work(200..<300))
    #expect(work(300..<400) <= 3 * 100)
  }

  @Test(
    "what a host's leaving costs grows as the audience does, whether another host is there or not",
    arguments: [(false, 1), (true, 1), (false, 2), (true, 2)])
  func leavingHost(leavesChannel: Bool, hostCount: Int) {
    func work(audience: Int) -> (looks: Int, deliveries: Int) {
      var directory = directory(maximumUserCount: 10_000)
      for host in 1...UInt64(hostCount) { _ = directory.join(joinRequest(UInt(host)), client: host) }
      for client in 100..<UInt64(100 + audience) {
        var player = Self.webRTC(plays: true)
        player.wantedUID = nil
        directory.join(
          joinRequest(0, role: .audience, publish: .none), grant: .unlimited, client: client, webRTC: player, now: .zero
        )
      }
      _ = directory.deliveries()
      let before = directory.lookCount
      if leavesChannel {
        directory.remove(1, reason: .quit)
      } else {
        directory.receive(.update(UpdateRequest(requestID: 1, role: .audience)), from: 1, now: .zero)
      }
      return (directory.lookCount - before, directory.deliveries().filter { $0.client >= 100 }.count)
    }
    let (small, large) = (work(audience: 100), work(audience: 600))
    // All are told that the host has gone, and of the other one if there is one.
    #expect(small.deliveries == 100 * hostCount && large.deliveries == 600 * hostCount)
    #expect(small.looks >= 100 && large.looks < 8 * small.looks)
  }
}
