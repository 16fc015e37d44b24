import ChannelCore
import ControlWire
import MediaBase
import Testing

/// Users from whom nothing comes for a while, whoever has noticed it.
@Suite struct ShardAbsenceTests {
  @Test func `a peer is offline after twenty seconds without a packet, and is announced again when something comes`() {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 100)
    room.silent = [1]
    room.run(milliseconds: 14_000)
    #expect(viewer.offline.isEmpty, "its last check may have been 6 s ago")
    room.run(milliseconds: 7_500)
    #expect(viewer.offline == [1: .dropped])
    let before = viewer.users[1]?.ssrcs
    room.silent = []
    room.run(milliseconds: 7_500)
    #expect(viewer.users[1]?.ssrcs != before && !host.isClosed)
    room.sendKeyFrame(from: host)
    #expect(viewer.users[1].flatMap { viewer.received[$0.ssrcs.video] } == 1)
    #expect(room.shard.statistics.lostUserCount == 0)
  }

  @Test func `any authentic packet is a sign of life`() {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 100)
    // Its checks are lost, its media is not: until it counts as gone by RFC 7675.
    room.lostChecks = [1]
    for _ in 0..<22 {
      room.sendKeyFrame(from: host)
      room.run(milliseconds: 1_000)
    }
    #expect(viewer.offline.isEmpty)
  }

  @Test func `whoever comes again over another connection was never gone, for anybody`() {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 100)
    room.sendKeyFrame(from: host)
    for life in UInt64(11)...15 {
      room.silent.insert(life == 11 ? 1 : life - 1)
      room.shard.clientClosed(life == 11 ? 1 : life - 1, now: room.now)
      room.run(milliseconds: 1_000)
      let again = room.join(life, uid: 1, publish: bothTracks)
      room.run(milliseconds: 100)
      room.sendKeyFrame(from: again)
      #expect(viewer.users[1].flatMap { viewer.received[$0.ssrcs.video] } == 1)
    }
    #expect(viewer.offline.isEmpty && viewer.received.count == 6)
    #expect(room.shard.statistics.userCount == 2)
  }

  @Test func `whoever comes again as audience has become audience`() {
    let room = ShardRoom()
    _ = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 100)
    _ = room.join(11, uid: 1, role: .audience)
    #expect(viewer.offline == [1: .becameAudience])
  }

  @Test func `a process that is killed takes its media with it, and is dropped after four seconds`() {
    let room = ShardRoom()
    _ = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 100)
    room.silent = [1]
    room.shard.clientClosed(1, now: room.now)
    room.pollControl()
    room.run(milliseconds: 3_900)
    #expect(viewer.offline.isEmpty)
    room.run(milliseconds: 200)
    #expect(viewer.offline == [1: .dropped])
    #expect(room.shard.statistics.userCount == 1)
  }

  @Test func `whose media goes on without a control connection stays for twenty seconds`() {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 100)
    room.shard.clientClosed(1, now: room.now)
    for second in 0..<19 {
      room.sendKeyFrame(from: host)
      room.run(milliseconds: 1_000)
      #expect(viewer.offline.isEmpty, "\(second)")
    }
    room.sendKeyFrame(from: host)
    room.run(milliseconds: 1_100)
    #expect(viewer.offline == [1: .dropped])
  }

  @Test func `an audience, and who never had media, are gone with their control connection`() {
    let room = ShardRoom()
    _ = room.join(1, role: .audience)
    room.silent = [3]
    _ = room.join(3, publish: bothTracks)
    let viewer = room.join(2)
    room.run(milliseconds: 100)
    for client in [UInt64(1), 3] { room.shard.clientClosed(client, now: room.now) }
    room.pollControl()
    #expect(viewer.offline == [3: .dropped])
    #expect(room.shard.statistics.userCount == 1)
  }
}
