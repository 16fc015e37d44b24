import ForwardingCore
import MediaBase
import Testing

@Suite struct ConnectivityTests {
  @Test func aPeerThatNeverConnectsIsReportedOnce() {
    let room = TestRoom()
    room.join(1, publishes: bothForwarded)
    room.silent = [1]
    room.run(milliseconds: 29_800)
    #expect(room.events.isEmpty)
    room.run(milliseconds: 5_000)
    #expect(room.events == [.peerLost(client: 1)])
    let isConnected = room.core.isConnected(client: 1)
    #expect(!isConnected)
  }

  @Test func aPeerThatFallsSilentIsReportedAndNothingIsSentToIt() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    room.silent = [2]
    room.run(milliseconds: 36_000)
    #expect(room.events.contains(.peerLost(client: 2)))
    #expect(!room.events.contains(.peerLost(client: 3)))
    room.runs = []
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(room.runs.allSatisfy { $0.destination != others[0].address })
    #expect(others[1].seen(video).count == 3)
  }

  @Test func nothingIsDueWithoutPeers() {
    let room = TestRoom()
    #expect(room.core.nextTimeout == nil)
    room.join(1)
    #expect(room.core.nextTimeout != nil)
    room.core.removePeer(client: 1)
    #expect(room.core.nextTimeout == nil)
  }

  @Test func afterATimeoutAndADrainTheNextTimeoutLiesAhead() {
    let (room, publisher, _) = connectedRoom(subscribers: 3)
    for step in 0..<2_000 {
      room.now = room.now + .milliseconds(1)
      // Losses, key frame requests and silence, all at once.
      if step % 10 == 0 { publisher.outgoing += publisher.picture(isKey: false).dropLast(step % 3) }
      if step == 1_000 { room.silent = [1] }
      room.upload()
      room.core.handleTimeout(now: room.now)
      room.download()
      #expect(room.core.nextTimeout.map { $0 > room.now } ?? true)
    }
  }

  @Test func aSecondPeerOfTheSameNumberOrNameIsRefused() {
    let room = TestRoom()
    room.join(1)
    let again = room.core.addPeer(description(1), now: room.now)
    #expect(!again)
    var other = description(2)
    other.localCredentials = description(1).localCredentials
    let sameName = room.core.addPeer(other, now: room.now)
    #expect(!sameName)
    #expect(room.core.peerCount == 1)
  }
}
