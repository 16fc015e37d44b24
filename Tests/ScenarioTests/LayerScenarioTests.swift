import ControlWire
import MediaBase
import MediaSimulation
import Testing

/// A host that sends two streams of its video, over networks that lose and delay.
@Suite struct LayerScenarioTests {
  private static let everything = TrackFlags(audio: true, video: true)
  private static let small = Subscription(everyone: everything, everyoneLayers: VideoLayerLimit(spatial: 0))
  private static let large = Subscription(everyone: everything)

  @Test(arguments: 1...UInt64(6)) func everyViewerGetsTheStreamItAsksForWithoutAHole(seed: UInt64) throws {
    let world = SimulatedWorld(seed: seed)
    let loss = seed % 3 == 0 ? 0.05 : 0
    let network = NetworkConditions(both: LinkConditions(delay: .milliseconds(Int64(10 + seed * 4)), loss: loss))
    let host = world.addUser(1, network: network)
    let viewers = [world.addUser(2, network: network), world.addUser(3, network: network)]
    host.join("show", role: .broadcaster, publish: Self.everything, sendsLowVideo: true)
    for viewer in viewers { viewer.join("show", role: .audience) }
    world.run(for: .seconds(Int64(3)))
    for round in 0..<6 {
      let wantsSmall = [round % 2 == 0, round % 3 == 0]
      for (viewer, small) in zip(viewers, wantsSmall) {
        viewer.update("show", subscribe: small ? Self.small : Self.large)
      }
      world.run(for: .seconds(Int64(2)))
      let settled = world.now
      world.run(for: .seconds(Int64(1)))
      for (viewer, small) in zip(viewers, wantsSmall) {
        let pictures = viewer.received.frames.filter { $0.isVideo && $0.arrivalTime >= settled }
        #expect(pictures.count > 8)
        #expect(pictures.allSatisfy { $0.isLow == small })
      }
    }
    for viewer in viewers {
      #expect(viewer.received.damagedCount == 0 && viewer.received.undecodableCount == 0)
      let times = viewer.received.frames.filter(\.isVideo).map(\.captureTime)
      // The other stream of a picture may come after it; an older one only if a key frame had to be sent again.
      let back = MediaDuration.milliseconds(loss == 0 ? 0 : 200)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 - $1 <= back })
      guard loss == 0 else { continue }
      // 15 pictures a second: no change leaves out more than two.
      #expect(zip(times.dropFirst(20), times.dropFirst(21)).allSatisfy { $1 - $0 < .milliseconds(210) })
    }
  }

  @Test func whoSendsOneStreamIsSeenByThoseWhoWantTheSmallOneToo() throws {
    let world = SimulatedWorld(seed: 5)
    let host = world.addUser(1)
    let viewer = world.addUser(2)
    host.join("show", role: .broadcaster, publish: Self.everything)
    viewer.join("show", role: .audience)
    viewer.update("show", subscribe: Self.small)
    world.run(for: .seconds(Int64(5)))
    #expect(viewer.received.count(channel: "show", uid: 1) > 20)
    #expect(viewer.received.frames.allSatisfy { !$0.isLow })
  }
}
