import ControlWire
import MediaBase
import MediaSimulation
import Testing

/// A host whose way to the server gets narrow and wide again.
@Suite struct UplinkTests {
  private let wide = LinkConditions(delay: .milliseconds(20), bitsPerSecond: 2_500_000)
  private let narrow = LinkConditions(delay: .milliseconds(20), bitsPerSecond: 800_000)

  private func seconds(_ value: Int) -> MediaDuration { .seconds(Int64(value)) }

  /// Bits of video a second that came of what was captured between the two.
  private func rate(_ viewer: SimulatedUser, from begin: MediaInstant, to end: MediaInstant) -> Double {
    let bytes = viewer.received.frames.reduce(0) {
      $0 + ($1.isVideo && $1.captureTime >= begin && $1.captureTime < end ? $1.byteCount : 0)
    }
    return Double(bytes) * 8 / (end - begin).seconds
  }

  private func longestGap(_ viewer: SimulatedUser, isVideo: Bool) -> MediaDuration {
    let times = viewer.received.frames.filter { $0.isVideo == isVideo }.map(\.arrivalTime)
    return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `video goes on at a lower rate, sound as ever`(seed: UInt64) throws {
    let world = SimulatedWorld(seed: seed)
    let host = world.addUser(1, network: NetworkConditions(up: wide, down: LinkConditions(delay: .milliseconds(20))))
    host.cameraBitrate = 1_500_000
    let viewer = world.addUser(2, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(10))))
    host.join("show", role: .broadcaster, publish: .init(audio: true, video: true))
    viewer.join("show", role: .audience)
    let begin = world.now
    world.run(for: seconds(15))
    host.changeNetwork(up: narrow)
    world.run(for: seconds(20))
    host.changeNetwork(up: wide)
    world.run(for: seconds(20))

    #expect(rate(viewer, from: begin + seconds(2), to: begin + seconds(15)) > 1_200_000)
    let low = rate(viewer, from: begin + seconds(18), to: begin + seconds(35))
    #expect((450_000...700_000).contains(low), "\(low) on the narrow way")
    let again = rate(viewer, from: begin + seconds(45), to: begin + seconds(54))
    #expect(again > 1_200_000, "\(again) when it is wide again")
    // Losses of the drop itself are sent again before pictures go on.
    #expect(longestGap(viewer, isVideo: true) <= .milliseconds(1_500))
    #expect(longestGap(viewer, isVideo: false) <= .milliseconds(400))
    let sounds = viewer.received.frames.filter { !$0.isVideo }
    #expect(sounds.count > 2_650, "\(sounds.count) packets of sound in 54 s")
    // The queue that the drop has left is gone after three seconds.
    let late = viewer.received.frames.filter { $0.captureTime > begin + seconds(18) }
      .map { $0.arrivalTime - $0.captureTime }.sorted()
    #expect(late[late.count * 95 / 100] <= .milliseconds(350), "\(late[late.count * 95 / 100])")
    #expect(viewer.received.undecodableCount == 0)
  }

  @Test func `a narrow way is found before the first second is over`() throws {
    let world = SimulatedWorld(seed: 9)
    let host = world.addUser(1, network: NetworkConditions(up: narrow, down: LinkConditions(delay: .milliseconds(20))))
    host.cameraBitrate = 1_500_000
    let viewer = world.addUser(2, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(10))))
    host.join("show", role: .broadcaster, publish: .init(audio: true, video: true))
    viewer.join("show", role: .audience)
    let begin = world.now
    world.run(for: seconds(10))
    let rate = rate(viewer, from: begin + seconds(1), to: begin + seconds(9))
    #expect((450_000...700_000).contains(rate), "\(rate)")
    let waits = viewer.received.frames.filter { $0.captureTime > begin + seconds(2) }
      .map { $0.arrivalTime - $0.captureTime }.sorted()
    #expect(waits[waits.count * 95 / 100] <= .milliseconds(250), "\(waits[waits.count * 95 / 100])")
  }
}
