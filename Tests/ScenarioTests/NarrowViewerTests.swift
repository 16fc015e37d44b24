import ControlWire
import MediaBase
import MediaSimulation
import Testing

/// A viewer whose way from the server gets too narrow for a video that comes in one encoding only.
@Suite struct NarrowViewerTests {
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `sound goes on, the picture pauses and comes back by itself`(seed: UInt64) throws {
    let wide = LinkConditions(delay: .milliseconds(20), bitsPerSecond: 3_000_000, queueLimit: .milliseconds(500))
    let narrow = LinkConditions(delay: .milliseconds(20), bitsPerSecond: 200_000, queueLimit: .milliseconds(500))
    let world = SimulatedWorld(seed: seed)
    let host = world.addUser(1, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(10))))
    host.cameraBitrate = 700_000
    let viewer = world.addUser(2, network: NetworkConditions(up: LinkConditions(delay: .milliseconds(20)), down: wide))
    let other = world.addUser(3, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(15))))
    host.join("show", role: .broadcaster, publish: TrackFlags(audio: true, video: true))
    viewer.join("show", role: .audience)
    other.join("show", role: .audience)
    func count(_ user: SimulatedUser, isVideo: Bool, from begin: MediaInstant) -> Int {
      user.received.count(channel: "show", uid: 1, isVideo: isVideo, arrivedAfter: begin)
    }
    world.run(for: .seconds(6))
    #expect(count(viewer, isVideo: true, from: .zero) > 70)
    viewer.changeNetwork(down: narrow)
    world.run(for: .seconds(8))
    let paused = world.now
    world.run(for: .seconds(4))
    #expect(count(viewer, isVideo: true, from: paused) <= 2)
    #expect(count(viewer, isVideo: false, from: paused) >= 195)
    viewer.changeNetwork(down: wide)
    world.run(for: .seconds(14))
    let again = world.now
    world.run(for: .seconds(4))
    #expect(count(viewer, isVideo: true, from: again) >= 55)
    // Nobody else has noticed.
    let times = other.received.frames.filter(\.isVideo).map(\.arrivalTime)
    #expect(zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero <= .milliseconds(200))
    #expect(viewer.received.undecodableCount == 0)
    let states = viewer.connection("show")?.videoStates.filter { $0.contains("audioFallback") }
    #expect(states == ["1 stopped/audioFallback", "1 decoding/audioFallbackRecovery"])
  }
}
