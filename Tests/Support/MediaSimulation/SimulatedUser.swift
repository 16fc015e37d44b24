import CallAPI
public import ControlWire
import EngineCore
public import MediaBase

/// A user's device: connections to channels, a camera, a microphone, calls, and the network that it hangs on.
public final class SimulatedUser {
  /// The user's number.
  public let uid: UInt
  /// What the network does.
  public let network: NetworkConditions
  /// Everything that came.
  public internal(set) var received = ReceivedMedia()
  /// The states of calls, as "state/reason"; may be emptied before something is expected.
  public var callStates: [String] = []
  /// Errors of calls.
  public internal(set) var callErrors: [String] = []
  /// Whether messages of others can come.
  public internal(set) var isLoggedIn = false
  /// The user whom the present call lets be heard and seen.
  public internal(set) var revealedPeer: UInt?

  unowned let world: SimulatedWorld
  var random: SeededRandom
  private(set) var connections: [SimulatedConnection] = []
  var uplink: SimulatedLink
  var downlink: SimulatedLink
  var deadUntil = MediaInstant.zero

  // Signalling and calls (SimulatedUser+Calls).
  var signalUplink: ReliableLink
  var signalDownlink: ReliableLink
  var signalClient: UInt64 = 0
  var machine: CallStateMachine
  var callCount = 0
  var callTimerGeneration = 0
  var callEncryptions: [String: CallMediaEncryption] = [:]
  /// The texts of all messages that were sent about calls.
  public internal(set) var sentCallTexts: [String] = []
  private var keyPairCount: UInt64 = 0

  /// A key pair that follows from the user's number alone.
  func makeKeyPair() -> CallKeyPair? {
    keyPairCount += 1
    var random = SeededRandom(seed: UInt64(uid) &* 1_000_003 &+ keyPairCount)
    return CallKeyPair(privateKey: (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  // Devices (SimulatedUser+Media).
  /// What the encoder makes if the path carries it, in bits per second; `nil` for little, which does not follow the path.
  public var cameraBitrate: Int?
  /// The key by which the user's next connections encrypt between the ends; `nil` for none.
  public var encryptionKey: String?
  var isCameraOn = false
  var isMicrophoneOn = false
  var pictureCount: UInt32 = 0
  var keyFrameFor: Set<Int> = []
  var lowKeyFrameFor: Set<Int> = []

  init(uid: UInt, network: NetworkConditions, world: SimulatedWorld, seed: UInt64) {
    self.uid = uid
    self.network = network
    self.world = world
    random = SeededRandom(seed: seed)
    uplink = SimulatedLink(conditions: network.up, seed: random.next())
    downlink = SimulatedLink(conditions: network.down, seed: random.next())
    signalUplink = ReliableLink(conditions: network.up, seed: random.next())
    signalDownlink = ReliableLink(conditions: network.down, seed: random.next())
    machine = CallStateMachine(userID: uid)
  }

  /// The connections that have not been left, in the order of joining.
  public var presentConnections: [SimulatedConnection] { connections }

  /// The present connection to a channel.
  public func connection(_ channel: String) -> SimulatedConnection? {
    connections.first { $0.channel == channel }
  }

  /// Joins a channel.
  @discardableResult
  public func join(
    _ channel: String, profile: ChannelProfile = .liveBroadcasting, role: ClientRole, publish: TrackFlags = .none,
    receivesVideo: Bool = true, sendsLowVideo: Bool = false
  ) -> SimulatedConnection {
    let id = world.nextConnection()
    let address = TransportAddress(
      ipv4: 0x0A00_0000 &+ UInt32(truncatingIfNeeded: uid), port: 40_000 &+ UInt16(truncatingIfNeeded: id))
    var configuration = ConnectionConfiguration(
      channel: channel, uid: uid, profile: profile, role: role, publish: publish,
      subscribe: Subscription(everyone: TrackFlags(audio: true, video: receivesVideo)), seed: random.next())
    configuration.wantsLowVideo = sendsLowVideo
    configuration.encryption = Self.encryption(encryptionKey)
    let connection = SimulatedConnection(
      id: id, user: self, address: address, configuration: configuration, now: world.now)
    if let cameraBitrate { connection.core.setVideoDemand(cameraBitrate, now: world.now) }
    connections.append(connection)
    world.connections[address] = connection
    world.drain(connection)
    return connection
  }

  /// Changes role, publishing and subscriptions in a channel.
  public func update(
    _ channel: String, role: ClientRole? = nil, publish: TrackFlags? = nil, subscribe: Subscription? = nil
  ) {
    guard let connection = connection(channel) else { return }
    connection.core.update(role: role, publish: publish, subscribe: subscribe, now: world.now)
    world.drain(connection)
  }

  /// Leaves a channel.
  public func leave(_ channel: String) {
    guard let connection = connection(channel) else { return }
    connection.core.leave(now: world.now)
    world.drain(connection)
    connections.removeAll { $0 === connection }
    world.connections[connection.address] = nil
  }

  /// The network carries nothing for a while, in either direction.
  public func loseNetwork(for duration: MediaDuration) {
    deadUntil = world.now + duration
    uplink.deadUntil = deadUntil
    downlink.deadUntil = deadUntil
  }

  /// The network is another one from now on.
  public func changeNetwork(up: LinkConditions? = nil, down: LinkConditions? = nil) {
    if let up { uplink.conditions = up }
    if let down { downlink.conditions = down }
  }

  /// The control sockets break: both sides learn that they are gone.
  public func breakSockets() { world.breakSockets(of: self) }

  func forgetConnections() {
    for connection in connections { connection.socket = nil }
    connections.removeAll()
  }
}
