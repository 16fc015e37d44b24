import CallAPI
import ChannelCore
import ControlWire
import EngineCore
import MediaBase
import MediaSimulation
import Testing

/// A show with a host, two viewers and a caller, from the first to the last minute, in a world that follows from a seed.
final class Story {
  static let show = "show"
  static let both = TrackFlags(audio: true, video: true)

  let seed: UInt64
  let world: SimulatedWorld
  let host: SimulatedUser
  let viewers: [SimulatedUser]
  let caller: SimulatedUser
  /// When the host was away from the show.
  var absences: [ClosedRange<MediaInstant>] = []
  /// When the host had agreed to be seen and heard in the caller's room.
  var agreements: [ClosedRange<MediaInstant>] = []
  /// The room of the present call: a fresh one for each.
  var room = ""
  var roomCount = 0
  private(set) var phase = "nothing"

  /// What did not come to pass in time.
  struct Stuck: Error, CustomStringConvertible {
    var description: String
  }

  init(seed: UInt64) {
    self.seed = seed
    world = SimulatedWorld(seed: seed)
    host = world.addUser(1)
    viewers = [world.addUser(2), world.addUser(3)]
    caller = world.addUser(4)
  }

  var watchers: [SimulatedUser] { viewers + [caller] }
  var everybody: [SimulatedUser] { [host] + watchers }

  func play() throws {
    try joinShow()
    try callWithVideo()
    try callWithAudio()
    try rejectedCall()
    try cancelledCall()
    try forgottenCall()
    try leave()
    checkMedia()
  }

  /// Records a failure that names the seed, unless `condition` holds.
  func check(_ condition: Bool, _ text: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation) {
    guard !condition else { return }
    Issue.record("\(place): \(text())", sourceLocation: sourceLocation)
  }

  func checkEqual<Value: Equatable>(
    _ value: Value, _ expected: Value, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    check(value == expected, "\(text) is \(value), not \(expected)", sourceLocation: sourceLocation)
  }

  /// Lets time pass until something holds; throws if it does not within `limit` of virtual time.
  func wait(atMost limit: MediaDuration, for text: String, _ condition: () -> Bool) throws {
    phase = text
    guard world.run(atMost: limit, until: condition) else {
      throw Stuck(description: "\(place): not within \(limit.milliseconds) ms\n\(circumstances)")
    }
  }

  private var place: String {
    "seed \(seed) (STORY_SEED=\(seed) plays it alone), \(phase), at \((world.now - .zero).milliseconds) ms"
  }

  // MARK: The show

  private func joinShow() throws {
    host.join(Self.show, role: .broadcaster, publish: Self.both)
    for user in watchers { user.join(Self.show, role: .audience) }
    try wait(atMost: .seconds(10), for: "everybody joins the show") {
      everybody.allSatisfy { $0.isLoggedIn && $0.connection(Self.show)?.state == .connected }
    }
    try watchShow(since: world.now)
  }

  /// Waits until all watchers see and hear what the host does after `begin`.
  func watchShow(since begin: MediaInstant) throws {
    try wait(atMost: .seconds(5), for: "the watchers see and hear the show") {
      watchers.allSatisfy { flows(to: $0, in: Self.show, from: host, since: begin) }
    }
  }

  /// Whether some pictures and sound came that were captured after `begin`.
  func flows(
    to receiver: SimulatedUser, in channel: String, from sender: SimulatedUser, since begin: MediaInstant,
    video: Bool = true
  ) -> Bool {
    func count(isVideo: Bool) -> Int {
      receiver.received.count(
        channel: channel, uid: sender.uid, isVideo: isVideo, captured: begin...world.now, arrivedAfter: begin)
    }
    return count(isVideo: false) >= 10 && (!video || count(isVideo: true) >= 5)
  }

  private func leave() throws {
    checkShowConnections()
    for user in everybody {
      user.leave(Self.show)
      user.logOut()
    }
    try wait(atMost: .seconds(10), for: "everybody leaves") {
      world.server.holdings.isEmpty && world.server.signalUserCount == 0
    }
    try wait(atMost: .seconds(60), for: "the world comes to rest") { world.isQuiet }
    checkEqual(world.server.lostUserCount, 0, "users lost by the server")
  }
}
