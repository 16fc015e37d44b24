import CallAPI
public import MediaBase

/// A whole world on a virtual clock: a server, users with their connections, cameras, microphones and calls, and lossy
/// links between them. All rooms are the real ones; only sockets, devices and codecs are replaced. Everything follows
/// from one seed.
///
/// It is driven from one thread: act on its users, then let time pass.
public final class SimulatedWorld {
  /// What everything follows from.
  public let seed: UInt64
  /// The server.
  public let server: SimulatedServer
  /// The users, in the order of their coming.
  public private(set) var users: [SimulatedUser] = []
  /// Covers everything that has happened.
  public internal(set) var trace = TraceHash()

  var timeline = VirtualTimeline<SimulatedAction>()
  var random: SeededRandom
  var connections: [TransportAddress: SimulatedConnection] = [:]
  private var clientCount: UInt64 = 0
  private var connectionCount = 0

  /// A world with a server and nobody else.
  public init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed)
    server = SimulatedServer(seed: random.next(), now: timeline.now)
  }

  /// The virtual time.
  public var now: MediaInstant { timeline.now }

  /// Whether nothing will ever happen again unless somebody acts.
  public var isQuiet: Bool { timeline.nextTime == nil }

  /// A new user, logged in for signalling as soon as the network allows; without `network` it is drawn at random.
  public func addUser(_ uid: UInt, network: NetworkConditions? = nil) -> SimulatedUser {
    let drawn = NetworkConditions.random(using: &random)
    let user = SimulatedUser(uid: uid, network: network ?? drawn, world: self, seed: random.next())
    users.append(user)
    user.logIn()
    return user
  }

  /// Lets time pass.
  public func run(for duration: MediaDuration) {
    let end = now + duration
    while let action = timeline.next(until: end) { perform(action) }
  }

  /// Lets time pass until a condition holds, in small steps; false if it does not hold after `limit`.
  public func run(atMost limit: MediaDuration, until condition: () -> Bool) -> Bool {
    let end = now + limit
    while !condition() {
      guard now < end else { return false }
      run(for: .milliseconds(5))
    }
    return true
  }

  deinit {
    for user in users { user.forgetConnections() }
  }

  func nextClient() -> UInt64 {
    clientCount += 1
    return clientCount
  }

  func nextConnection() -> Int {
    connectionCount += 1
    return connectionCount
  }

  private func perform(_ action: SimulatedAction) {
    trace.add(UInt64(bitPattern: now.nanoseconds))
    switch action {
    case .datagramToServer(let bytes, let source): deliverToServer(bytes, from: source)
    case .datagramToClient(let bytes, let address): deliverToClient(bytes, at: address)
    case .controlToServer(let socket, let step): deliver(step, to: server, on: socket)
    case .controlToClient(let socket, let step): deliver(step, on: socket)
    case .signalToServer(let user, let client, let request): deliver(request, of: user, client: client)
    case .signalToClient(let user, let client, let response): user.receive(response, client: client)
    case .channelEvent(let user, let room, let event): user.calls { $0.channel(room, event, now: $1) }
    case .serverTimer: serverTimerFired()
    case .connectionTimer(let connection): timerFired(connection)
    case .callTimer(let user, let generation): user.callTimerFired(generation)
    case .picture(let user): user.capturePicture()
    case .sound(let user): user.captureSound()
    }
  }
}
