import ChannelCore
import ControlWire
import EngineCore
import MediaBase
import MediaSimulation
import Testing

/// A host whose network is cut, and a viewer whose network is not.
@Suite struct NetworkCutScenarioTests {
  private let world: SimulatedWorld
  private let host: SimulatedUser
  private let viewer: SimulatedUser
  private var hostConnection: SimulatedConnection? { host.connection("show") }
  private var viewerConnection: SimulatedConnection? { viewer.connection("show") }

  init() {
    world = SimulatedWorld(seed: 17)
    let network = NetworkConditions(both: LinkConditions(delay: .milliseconds(20), jitter: .milliseconds(5)))
    host = world.addUser(1, network: network)
    viewer = world.addUser(2, network: network)
    host.join("show", role: .broadcaster, publish: TrackFlags(audio: true, video: true))
    viewer.join("show", role: .audience)
    world.run(for: .seconds(Int64(6)))
  }

  private func seconds(_ seconds: Double) -> MediaDuration { .milliseconds(Int64(seconds * 1_000)) }

  /// Whether the viewer gets pictures again; also the sound.
  private func isSeen() -> Bool {
    let start = world.now
    world.run(for: seconds(1))
    return viewer.received.count(channel: "show", uid: 1, arrivedAfter: start) > 10
      && viewer.received.count(channel: "show", uid: 1, isVideo: false, arrivedAfter: start) > 40
      && viewer.received.damagedCount == 0 && viewer.received.undecodableCount == 0
  }

  @Test
  func `a network cut of 30 s: lost ten seconds after the interruption, offline at 20 s, announced again after it`()
    throws
  {
    let (host, viewer) = (try #require(hostConnection), try #require(viewerConnection))
    #expect(isSeen())
    self.host.loseNetwork(for: seconds(30))
    world.run(for: seconds(3.8))
    #expect(host.states.last == "connected/joinSuccess")
    world.run(for: seconds(0.5))
    #expect(host.states.last == "reconnecting/interrupted")
    world.run(for: seconds(9.5))
    #expect(host.states.last == "reconnecting/interrupted")
    world.run(for: seconds(0.5))
    #expect(host.states.last == "reconnecting/lost")
    world.run(for: seconds(5.6))
    #expect(viewer.departures == [] && viewer.visibleUsers == [1])
    world.run(for: seconds(1.5))
    #expect(viewer.departures == ["1 dropped"] && viewer.visibleUsers == [])
    world.run(for: seconds(8.6 + 10))
    #expect(host.states.last == "connected/rejoinSuccess")
    #expect(viewer.visibleUsers == [1])
    #expect(isSeen())
    #expect(viewer.departures == ["1 dropped"])
  }

  @Test(arguments: [6, 12, 18]) func `a cut of less than 20 s is nobody's departure`(length: Double) throws {
    let viewer = try #require(viewerConnection)
    host.loseNetwork(for: seconds(length))
    world.run(for: seconds(length + 6))
    #expect(hostConnection?.state == .connected)
    #expect(viewer.departures == [] && viewer.visibleUsers == [1])
    #expect(isSeen())
  }

  @Test(arguments: [25, 28]) func `a cut that consent survives needs no rejoining, and the user comes back`(
    length: Double
  )
    throws
  {
    let (host, viewer) = (try #require(hostConnection), try #require(viewerConnection))
    self.host.loseNetwork(for: seconds(length))
    world.run(for: seconds(length - 0.1))
    #expect(viewer.departures == ["1 dropped"])
    world.run(for: seconds(10))
    #expect(host.state == .connected && viewer.visibleUsers == [1])
    #expect(isSeen())
  }

  @Test func `control connections that break while media flows are nobody's departure`() throws {
    let (host, viewer) = (try #require(hostConnection), try #require(viewerConnection))
    for round in 1...5 {
      self.host.breakSockets()
      world.run(for: seconds(3))
      #expect(host.rejoinCount == round && host.state == .connected)
      #expect(isSeen())
    }
    #expect(viewer.departures == [] && viewer.visibleUsers == [1])
    #expect(viewer.calmVideoStates(of: 1) == ["starting/internal", "decoding/remoteUnmuted"])
  }

  @Test func `a network that never comes back is one departure, and nothing is left of the user`() throws {
    let viewer = try #require(viewerConnection)
    host.loseNetwork(for: seconds(3_600))
    world.run(for: seconds(60))
    #expect(viewer.departures == ["1 dropped"])
    #expect(world.server.holdings.peerCount == 1)
  }
}
