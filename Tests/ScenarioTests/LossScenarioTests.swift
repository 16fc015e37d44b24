import ControlWire
import EngineCore
import MediaBase
import MediaSimulation
import Testing

/// What is left of a show on a path that loses far too much.
@Suite struct LossScenarioTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var loss: Double
    /// At least so much of the pictures comes, in percent.
    var pictures: Double
    /// At most so much of the time the picture stands still, in percent.
    var frozen: Double
    var testDescription: String { "\(Int(loss * 100)) % lost" }
  }

  /// Of a simulated camera: one every 66 ms.
  private static let picturesPerSecond = 1_000.0 / 66

  static let cases = [
    Case(loss: 0, pictures: 99, frozen: 0), Case(loss: 0.3, pictures: 95, frozen: 5),
    Case(loss: 0.5, pictures: 45, frozen: 60),
    // What is asked for again is lost again: nothing but sound is left.
    Case(loss: 0.7, pictures: 0, frozen: 100),
  ]

  @Test(arguments: cases) func `at 30, 50 and 70 percent loss: freezes, lost sound and MOS`(played: Case) throws {
    let world = SimulatedWorld(seed: 39)
    let host = world.addUser(1, network: NetworkConditions(both: LinkConditions(delay: .milliseconds(20))))
    let bad = LinkConditions(delay: .milliseconds(20), loss: played.loss)
    let viewer = world.addUser(2, network: NetworkConditions(up: bad, down: bad))
    host.join("show", role: .broadcaster, publish: TrackFlags(audio: true, video: true))
    viewer.join("show", role: .audience)
    #expect(world.run(atMost: .seconds(Int64(30))) { viewer.connection("show")?.state == .connected })
    world.run(for: .seconds(Int64(5)))
    let start = world.now
    world.run(for: .seconds(Int64(60)))
    let end = world.now
    let frames = viewer.received.frames.filter { $0.arrivalTime > start }
    #expect(viewer.received.damagedCount == 0 && viewer.received.undecodableCount == 0)

    let pictures = Double(frames.count(where: \.isVideo)) * 100 / (60 * Self.picturesPerSecond)
    let lostSound = 100 - Double(frames.count { !$0.isVideo }) * 100 / (60 * 50)
    let times = [start] + frames.filter(\.isVideo).map(\.arrivalTime) + [end]
    let still = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > .milliseconds(500) }
    let frozen = still.reduce(0.0) { $0 + $1.seconds } * 100 / 60
    let score = MeanOpinionScore.value(lossPercent: lostSound, delayMilliseconds: 60)
    print(
      "\(played.testDescription): pictures \(Int(pictures)) %, frozen \(Int(frozen)) %, sound lost \(Int(lostSound)) %,"
        + " MOS \(score)")
    #expect(pictures >= played.pictures && frozen <= played.frozen)
    // Sound is not sent again: what the path loses is lost, and no more.
    #expect(abs(lostSound - played.loss * 100) < 3)
    #expect(played.loss > 0 ? score < 350 : score > 430)
    // However bad it is, the connection stands.
    #expect(viewer.connection("show")?.state == .connected)
  }
}
