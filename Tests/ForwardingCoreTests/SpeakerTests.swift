import ForwardingCore
import MediaBase
import RTPWire
import Testing

@Suite("The loudest voices of a channel")
struct SpeakerTests {
  private static let listener: UInt64 = 100

  /// A room of `speakers` who publish sound, 1 and up, and one who hears them all.
  private func room(speakers: Int, loudest: Int, channels: Int = 1) -> (TestRoom, [TestPeer], TestPeer) {
    var configuration = ForwardingConfiguration()
    configuration.loudestSpeakers = loudest
    let room = TestRoom(configuration)
    var talkers: [TestPeer] = []
    for id in 1...UInt64(speakers) {
      talkers.append(
        room.join(id, publishes: ForwardedTracks(audio: true, video: false)) { $0.channel = 1 + id % UInt64(channels) })
    }
    let listener = room.join(Self.listener) { $0.channel = 1 }
    for talker in talkers { room.route(from: talker.id, to: listener.id) }
    room.run(milliseconds: 20)
    return (room, talkers, listener)
  }

  /// 20 ms in which everybody sends a packet, at these levels in -dBov; nil for a packet without a level.
  private func send(_ levels: [UInt8?], _ room: TestRoom, _ talkers: [TestPeer]) {
    for (talker, level) in zip(talkers, levels) { talker.sendAudio(level: level) }
    room.run(milliseconds: 20)
  }

  /// Whose packets came within `body`, by number.
  private func heard(_ talkers: [TestPeer], by listener: TestPeer, _ body: () -> Void) -> Set<UInt64> {
    func counts() -> [Int] { talkers.map { listener.seen(routeSSRCs($0.id).audio).count } }
    let before = counts()
    body()
    return Set(zip(talkers, zip(before, counts())).filter { $1.0 < $1.1 }.map(\.0.id))
  }

  @Test("of five voices the two loudest are forwarded, and somebody who begins to talk is heard within 100 ms")
  func takingTurns() {
    let (room, talkers, listener) = room(speakers: 5, loudest: 2)
    for _ in 0..<50 { send([20, 25, 90, 90, 90], room, talkers) }
    #expect(heard(talkers, by: listener) { send([20, 25, 90, 90, 90], room, talkers) } == [1, 2])
    // 1 and 2 stop; 4 begins, more quietly than they were.
    for _ in 0..<30 { send([90, 90, 90, 90, 90], room, talkers) }
    let heardSoon = heard(talkers, by: listener) {
      for _ in 0..<5 { send([90, 90, 90, 40, 90], room, talkers) }
    }
    #expect(heardSoon.contains(4) && heardSoon.count <= 3)
    // The whole beginning is heard.
    #expect(listener.seen(routeSSRCs(4).audio).count == 5)
    #expect(heard(talkers, by: listener) { send([90, 90, 90, 40, 90], room, talkers) }.count == 2)
  }

  @Test("numbers go on without gaps and time never goes back, however often a voice comes and goes")
  func numbers() {
    let (room, talkers, listener) = room(speakers: 4, loudest: 1)
    for turn in 0..<12 {
      var levels: [UInt8?] = [90, 90, 90, 90]
      levels[turn % 4] = 30
      for _ in 0..<40 { send(levels, room, talkers) }
      for _ in 0..<30 { send([90, 90, 90, 90], room, talkers) }
    }
    for talker in talkers {
      let seen = listener.seen(routeSSRCs(talker.id).audio)
      #expect(seen.count > 3 * 39)
      for (one, next) in zip(seen, seen.dropFirst()) {
        #expect(next.header.sequenceNumber == one.header.sequenceNumber &+ 1)
        #expect(Int32(bitPattern: next.header.timestamp &- one.header.timestamp) > 0)
      }
    }
  }

  @Test(
    "voices of the same loudness do not take each other's place at every breath", arguments: 0..<10 as Range<UInt64>)
  func noFlapping(seed: UInt64) {
    let (room, talkers, listener) = room(speakers: 4, loudest: 2)
    var random = SeededRandom(seed: seed)
    var changes = 0
    var before: Set<UInt64> = []
    for _ in 0..<500 {
      // Speech: levels between -20 and -32 dBov, and now and then a breath.
      let levels = talkers.map { _ -> UInt8? in random.next() % 8 == 0 ? 70 : UInt8(20 + random.next() % 12) }
      let now = heard(talkers, by: listener) { send(levels, room, talkers) }
      #expect(now.count <= 2)
      if now != before { changes += 1 }
      before = now
    }
    #expect(changes <= 10, "\(changes) changes in 10 s")
  }

  @Test("a clearly louder voice takes the place of the quietest")
  func louder() {
    let (room, talkers, listener) = room(speakers: 3, loudest: 2)
    for _ in 0..<50 { send([20, 40, 90], room, talkers) }
    for _ in 0..<5 { send([20, 40, 22], room, talkers) }
    #expect(heard(talkers, by: listener) { send([20, 40, 22], room, talkers) } == [1, 3])
  }

  @Test(
    "a voice that must not be left out is forwarded however quiet it is, and takes nobody's place; it can be changed")
  func alwaysForwarded() {
    let (room, talkers, listener) = room(speakers: 4, loudest: 1)
    room.core.setVoiceChannel(client: 3, channel: 0)
    for _ in 0..<50 { send([20, 40, 126, 126], room, talkers) }
    #expect(heard(talkers, by: listener) { send([20, 40, 126, 126], room, talkers) } == [1, 3])
    room.core.setVoiceChannel(client: 3, channel: 1)
    room.core.setVoiceChannel(client: 2, channel: 0)
    for _ in 0..<50 { send([20, 40, 126, 126], room, talkers) }
    #expect(heard(talkers, by: listener) { send([20, 40, 126, 126], room, talkers) } == [1, 2])
    // In the choice again, it has to be the loudest.
    for _ in 0..<150 { send([126, 126, 20, 126], room, talkers) }
    #expect(heard(talkers, by: listener) { send([126, 126, 20, 126], room, talkers) } == [2, 3])
    for talker in talkers {
      let seen = listener.seen(routeSSRCs(talker.id).audio)
      for (one, next) in zip(seen, seen.dropFirst()) {
        #expect(next.header.sequenceNumber == one.header.sequenceNumber &+ 1)
      }
    }
    // Nobody of that name, and everybody alike, are no trouble.
    room.core.setVoiceChannel(client: 99, channel: 1)
    for talker in talkers { room.core.setVoiceChannel(client: talker.id, channel: 0) }
    #expect(heard(talkers, by: listener) { send([90, 90, 90, 90], room, talkers) } == [1, 2, 3, 4])
  }

  @Test("a knock of one packet changes nothing")
  func knock() {
    let (room, talkers, listener) = room(speakers: 3, loudest: 2)
    for _ in 0..<50 { send([20, 30, 90], room, talkers) }
    for _ in 0..<20 { send([80, 80, 90], room, talkers) }
    #expect(heard(talkers, by: listener) { send([80, 80, 5], room, talkers) } == [1, 2])
    #expect(heard(talkers, by: listener) { send([80, 80, 90], room, talkers) } == [1, 2])
  }

  @Test("voices that are silent or tell no level get through while there is a place, and none is kept by who is gone")
  func places() {
    let (room, talkers, listener) = room(speakers: 3, loudest: 2)
    #expect(heard(talkers, by: listener) { send([nil, 127], room, talkers) } == [1, 2])
    // 1 sends nothing any more, 3 is silent but there.
    for _ in 0..<150 {
      talkers[1].sendAudio(level: 127)
      talkers[2].sendAudio(level: nil)
      room.run(milliseconds: 20)
    }
    let now = heard(talkers, by: listener) {
      talkers[1].sendAudio(level: 127)
      talkers[2].sendAudio(level: nil)
      room.run(milliseconds: 20)
    }
    #expect(now == [2, 3])
  }

  @Test("who leaves or stops publishing gives the place to somebody else at once")
  func leaving() {
    let (room, talkers, listener) = room(speakers: 3, loudest: 1)
    for _ in 0..<20 { send([20, 90, 90], room, talkers) }
    room.publish(1, .none)
    #expect(heard(talkers, by: listener) { send([20, 90, 90], room, talkers) } == [2])
    room.core.removePeer(client: 2)
    #expect(heard(talkers, by: listener) { send([20, 90, 90], room, talkers) } == [3])
    for id in room.peers.keys { room.core.removePeer(client: id) }
    let held = room.core.streamCount
    #expect(held == 0)
  }

  @Test("each channel has its own loudest, and with 0 all are forwarded")
  func scope() {
    let (room, talkers, listener) = room(speakers: 4, loudest: 1, channels: 2)
    #expect(heard(talkers, by: listener) { for _ in 0..<10 { send([30, 30, 30, 30], room, talkers) } }.count == 2)
    let (open, all, other) = self.room(speakers: 4, loudest: 0)
    #expect(heard(all, by: other) { send([30, 90, nil, 127], open, all) } == [1, 2, 3, 4])
  }
}
