import ControlWire
import EngineCore
import MediaBase
import MediaSimulation
import Testing

/// What a viewer's connection knows of the ways of sound and pictures, through the real server.
@Suite struct StatisticsScenarioTests {
  private static let everything = TrackFlags(audio: true, video: true)

  private func stream(_ viewer: SimulatedUser) throws -> RemoteStreamStatistics {
    try #require(viewer.connection("show")?.statistics.remoteStreams.first { $0.uid == 1 })
  }

  private func isNear(_ value: MediaDuration?, _ milliseconds: Int64, within tolerance: Int64 = 6) -> Bool {
    value.map { abs($0.milliseconds - milliseconds) <= tolerance } ?? false
  }

  @Test func `delays of sound and pictures are those of the whole way, and the smaller stream is told as such`() throws
  {
    let world = SimulatedWorld(seed: 3)
    let host = world.addUser(1, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(30))))
    let viewer = world.addUser(2, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(45))))
    host.join("show", role: .broadcaster, publish: Self.everything, sendsLowVideo: true)
    viewer.join("show", role: .audience)
    world.run(for: .seconds(5))
    var seen = try stream(viewer)
    #expect(isNear(seen.endToEndDelay, 75))
    #expect(isNear(seen.audioNetworkDelay, 75))
    // This camera and microphone take no time, so that a packet's first sample is 20 ms younger than it says.
    #expect(isNear(seen.audioEndToEndDelay, 95))
    #expect(isNear(seen.videoLag, -20))
    #expect(seen.videoLayer.map { $0.index == 1 && $0.count == 2 } == true)
    #expect(isNear(seen.videoPublishDuration, 4_900, within: 200))
    let small = Subscription(everyone: Self.everything, everyoneLayers: VideoLayerLimit(spatial: 0))
    viewer.update("show", subscribe: small)
    world.run(for: .seconds(3))
    seen = try stream(viewer)
    #expect(seen.videoLayer.map { $0.index == 0 && $0.count == 2 } == true)
    #expect(isNear(seen.endToEndDelay, 75))
    host.update("show", publish: TrackFlags(audio: true, video: false))
    world.run(for: .seconds(2))
    let (video, audio) = (seen.videoPublishDuration, seen.audioPublishDuration)
    seen = try stream(viewer)
    #expect(isNear(seen.videoPublishDuration - video, 30, within: 60))
    #expect(isNear(seen.audioPublishDuration - audio, 2_000, within: 60))
  }

  @Test(arguments: [true, false])
  func `losses on the last part of the way are told apart from those before`(losesBehindServer: Bool) throws {
    let world = SimulatedWorld(seed: 11)
    let (good, bad) = (LinkConditions(delay: .milliseconds(20)), LinkConditions(delay: .milliseconds(20), loss: 0.1))
    let host = world.addUser(
      1, network: NetworkConditions(up: losesBehindServer ? good : bad, down: good))
    let viewer = world.addUser(
      2, network: NetworkConditions(up: good, down: losesBehindServer ? bad : good))
    host.join("show", role: .broadcaster, publish: Self.everything)
    viewer.join("show", role: .audience)
    world.run(for: .seconds(20))
    let totals = try #require(viewer.connection("show")?.statistics)
    let share = Double(totals.receivePathLost) / Double(max(1, totals.receivePathExpected))
    #expect(totals.receivePathExpected > 1_000)
    #expect(losesBehindServer ? (0.06...0.14).contains(share) : share < 0.01)
    // The stream as a whole misses as much in both cases.
    let seen = try stream(viewer)
    let lost = Double(seen.audioPacketsLost) / Double(seen.audioPacketsLost + seen.audioPackets)
    #expect((0.06...0.14).contains(lost))
  }

  @Test func `what the server knows of the path to a viewer the viewer knows too`() throws {
    let world = SimulatedWorld(seed: 2)
    let narrow = LinkConditions(delay: .milliseconds(20), bitsPerSecond: 500_000, queueLimit: .milliseconds(500))
    let host = world.addUser(1, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(10))))
    host.cameraBitrate = 700_000
    let viewer = world.addUser(
      2, network: NetworkConditions(up: LinkConditions(delay: .milliseconds(20)), down: narrow))
    host.join("show", role: .broadcaster, publish: Self.everything)
    viewer.join("show", role: .audience)
    world.run(for: .seconds(12))
    let totals = try #require(viewer.connection("show")?.statistics)
    #expect((200_000...700_000).contains(totals.receiveBitrate ?? 0))
    #expect(totals.receiveQueueDelay.map { $0 <= .milliseconds(600) } == true)
    #expect(try stream(viewer).isVideoPaused)
  }
}
