import MediaBase
import RTPWire
import Testing

@testable import ForwardingCore

@Suite struct DownlinkTests {
  private func longestWait(_ line: DownlinkRoom.Line?, from begin: MediaInstant) -> MediaDuration {
    line?.waits.filter { $0.time >= begin }.map(\.wait).max() ?? .zero
  }

  private func longestSilence(_ line: DownlinkRoom.Line?) -> MediaDuration {
    guard let times = line?.audio else { return .zero }
    return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
  }

  @Test func `a line that shrinks gets the small picture, and the large one when it is wide again`() throws {
    let room = DownlinkRoom()
    room.watch(2, bitsPerSecond: 3_000_000)
    room.run(seconds: 4)
    #expect(room.simulcast.layer() == 2)
    room.lines[2]?.bitsPerSecond = 400_000
    let shrunk = room.now
    room.run(seconds: 2.5)
    #expect(room.simulcast.layer() == 0)
    room.run(seconds: 6)
    #expect(longestWait(room.lines[2], from: shrunk) <= .milliseconds(1_100))
    #expect(longestWait(room.lines[2], from: shrunk + .seconds(4 as Int64)) <= .milliseconds(300))
    #expect(room.simulcast.layer() == 0)
    room.lines[2]?.bitsPerSecond = 3_000_000
    room.run(seconds: 12)
    #expect(room.simulcast.layer() == 2)
    // Sound waits behind what is in the queue, and is never left out.
    let sounds = room.simulcast.viewers[2]?.seen(audio).map(\.header.sequenceNumber) ?? []
    #expect(sounds.count > 1_200)
    #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    #expect(longestSilence(room.lines[2]) <= .milliseconds(250))
    #expect(room.simulcast.publisher.keyFrameRequests.count <= 12)
  }

  @Test func `each of twenty viewers gets what its line carries`() {
    let room = DownlinkRoom(seed: 3)
    for id in 2..<22 as Range<UInt64> { room.watch(id, bitsPerSecond: [350_000, 900_000, 3_000_000][Int(id) % 3]) }
    room.run(seconds: 15)
    for id in 2..<22 as Range<UInt64> {
      let layer = room.simulcast.layer(of: id)
      #expect(layer == Int(id) % 3, "viewer \(id) gets \(String(describing: layer))")
      #expect(longestWait(room.lines[id], from: room.now - .seconds(5 as Int64)) <= .milliseconds(400))
    }
    // Those who change together share a key frame.
    #expect(room.simulcast.publisher.keyFrameRequestCount <= 60)
  }

  @Test func `a video that does not fit at all pauses, and comes back by itself`() {
    let room = DownlinkRoom(layers: 1, seed: 5)
    room.simulcast.encoders[0].packetCount = 4
    room.watch(2, bitsPerSecond: 3_000_000)
    room.run(seconds: 4)
    #expect(room.simulcast.layer() == 0)
    room.lines[2]?.bitsPerSecond = 200_000
    room.run(seconds: 8)
    #expect(room.simulcast.layer() == nil)
    let before = room.lines[2]?.audio.count ?? 0
    room.run(seconds: 2)
    #expect((room.lines[2]?.audio.count ?? 0) - before >= 95)
    room.lines[2]?.bitsPerSecond = 3_000_000
    room.run(seconds: 14)
    #expect(room.simulcast.layer() == 0)
    let told = room.room.events.filter { if case .videoPaused = $0 { true } else { false } }
    #expect(
      told == [.videoPaused(subscriber: 2, publisher: 1, true), .videoPaused(subscriber: 2, publisher: 1, false)])
  }

  @Test func `a viewer who wants pictures at any price keeps the smallest, or all there is`() {
    for (fallback, layer) in [(VideoFallback.lowest, 0), (.none, 2)] {
      let room = DownlinkRoom(seed: 6)
      room.watch(2, bitsPerSecond: 3_000_000)
      room.room.core.setFallback(fallback, client: 2, now: room.now)
      room.run(seconds: 4)
      room.lines[2]?.bitsPerSecond = 90_000
      room.run(seconds: 10)
      #expect(room.simulcast.layer() == layer)
      #expect(!room.room.events.contains { if case .videoPaused = $0 { true } else { false } })
      // Back to sound alone, and from there to pictures again.
      room.room.core.setFallback(.audioOnly, client: 2, now: room.now)
      room.run(seconds: 10)
      #expect(room.simulcast.layer() == nil)
      room.room.core.setFallback(.lowest, client: 2, now: room.now)
      room.run(seconds: 1)
      #expect(room.simulcast.layer() == 0)
    }
  }

  @Test func `a viewer that only tells its own estimate gets everything as long as that does not fall`() {
    let room = DownlinkRoom(seed: 11)
    // From a still picture to a lively one: the estimate follows by 8 % a second only.
    for position in 0..<3 { room.simulcast.encoders[position].packetCount = 1 }
    room.watchEstimating(2, bitsPerSecond: 4_000_000)
    room.run(seconds: 8)
    #expect(room.simulcast.layer() == 2)
    for (position, count) in [1, 2, 5].enumerated() { room.simulcast.encoders[position].packetCount = count }
    var layers: Set<Int?> = []
    for _ in 0..<100 {
      room.run(seconds: 0.1)
      layers.insert(room.simulcast.layer())
    }
    #expect(layers == [2])
  }

  @Test func `a viewer that only tells its own estimate gets what its line carries, and more when that grows`() {
    let room = DownlinkRoom(seed: 12)
    room.watchEstimating(2, bitsPerSecond: 3_000_000)
    room.run(seconds: 6)
    #expect(room.simulcast.layer() == 2)
    room.lines[2]?.bitsPerSecond = 400_000
    room.run(seconds: 8)
    let shrunk = room.now
    #expect(room.simulcast.layer() == 0)
    // Padding that tries the line does not hold up what is sent.
    room.run(seconds: 20)
    #expect(room.simulcast.layer() == 0)
    #expect(longestWait(room.lines[2], from: shrunk) <= .milliseconds(400))
    room.lines[2]?.bitsPerSecond = 3_000_000
    room.run(seconds: 60)
    #expect(room.simulcast.layer() == 2)
    let before = room.simulcast.viewers[2]?.seen(videoRTX).count
    room.run(seconds: 5)
    #expect(room.simulcast.viewers[2]?.seen(videoRTX).count == before)
  }

  @Test func `a video that paused for a viewer that only tells its own estimate comes back by itself`() {
    let room = DownlinkRoom(layers: 1, seed: 13)
    room.simulcast.encoders[0].packetCount = 4
    room.watchEstimating(2, bitsPerSecond: 3_000_000)
    room.run(seconds: 5)
    #expect(room.simulcast.layer() == 0)
    room.lines[2]?.bitsPerSecond = 150_000
    room.run(seconds: 15)
    #expect(room.simulcast.layer() == nil)
    room.lines[2]?.bitsPerSecond = 3_000_000
    room.run(seconds: 60)
    #expect(room.simulcast.layer() == 0)
  }

  @Test func `viewers who leave while their paths are tried leave nothing behind`() {
    let room = DownlinkRoom(seed: 8)
    for id in 2..<12 as Range<UInt64> { room.watch(id, bitsPerSecond: 2_000_000) }
    var wereTried = 0
    for id in 2..<12 as Range<UInt64> {
      room.run(seconds: 0.01 * Double(id))
      wereTried += room.room.core.probedPeers.count
      room.lines[id] = nil
      room.room.core.removePeer(client: id)
    }
    #expect(wereTried > 0)
    room.run(seconds: 0.5)
    #expect(room.room.core.probedPeers.isEmpty)
    #expect(room.room.core.routeCount == 0)
  }

  @Test func `a viewer that gives no feedback gets everything`() {
    let room = SimulcastRoom()
    _ = room.watch()
    room.run(milliseconds: 4_000)
    #expect(room.layer() == 2)
  }
}
