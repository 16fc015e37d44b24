import ControlWire
public import EngineCore
import MediaBase
import OpenSSLCrypto

/// One user's connection to a channel: a real `ConnectionCore`, and what it has reported.
public final class SimulatedConnection {
  /// The channel's name.
  public let channel: String
  /// The states it went through, as "state/reason".
  public internal(set) var states: [String] = []
  /// How often it has rejoined.
  public internal(set) var rejoinCount = 0
  /// The users it can see.
  public internal(set) var visibleUsers: Set<UInt> = []
  /// The users that it was told have gone, as "uid reason", in that order.
  public internal(set) var departures: [String] = []
  /// The video states of remote users, as "uid state/reason".
  public internal(set) var videoStates: [String] = []
  /// The audio states of remote users, as "uid state/reason".
  public internal(set) var audioStates: [String] = []
  /// Failures of encryption, as "uid type".
  public internal(set) var encryptionErrors: [String] = []
  /// Messages of data streams, as "uid/stream text".
  public internal(set) var messages: [String] = []
  /// Errors that were reported.
  public internal(set) var errors: [String] = []
  /// Whether it has been left.
  public internal(set) var isLeft = false

  let id: Int
  unowned let user: SimulatedUser
  /// Whether it belongs to a call.
  let isCall: Bool
  let address: TransportAddress
  var core: ConnectionCore
  var socket: ControlSocket?
  /// The one timer of this connection that counts.
  var timer: MediaInstant?

  init(
    id: Int, user: SimulatedUser, address: TransportAddress, configuration: ConnectionConfiguration, now: MediaInstant
  ) {
    self.id = id
    self.user = user
    self.address = address
    channel = configuration.channel
    isCall = configuration.profile == .communication
    core = ConnectionCore(configuration: configuration, crypto: OpenSSLCrypto.provider, now: now)
  }

  /// Where the connection stands.
  public var state: ConnectionState { core.state }
  /// Whether pictures go out on it.
  public var isSendingVideo: Bool { core.isSendingVideo }
  /// Whether sound goes out on it.
  public var isSendingAudio: Bool { core.isSendingAudio }

  /// Its totals so far.
  public var statistics: ConnectionStatistics { core.currentStatistics(now: user.world.now) }

  /// The video states of one remote user without what a bad network adds: freezing, pausing, and recovery.
  public func calmVideoStates(of uid: UInt) -> [String] {
    let added = ["frozen", "networkRecovery", "audioFallback"]
    return videoStates.filter { state in state.hasPrefix("\(uid) ") && !added.contains { state.contains($0) } }
      .map { String($0.dropFirst("\(uid) ".count)) }
  }

  /// Takes note of what needs no answer.
  func note(_ event: ConnectionEvent) {
    switch event {
    case .stateChanged(let state, let reason): states.append("\(state)/\(reason)")
    case .rejoined: rejoinCount += 1
    case .userJoined(let uid, _): visibleUsers.insert(uid)
    case .userOffline(let uid, let reason):
      visibleUsers.remove(uid)
      departures.append("\(uid) \(reason)")
    case .remoteVideoState(let uid, let state, let reason, _): videoStates.append("\(uid) \(state)/\(reason)")
    case .remoteAudioState(let uid, let state, let reason, _): audioStates.append("\(uid) \(state)/\(reason)")
    case .encryptionError(let uid, let type): encryptionErrors.append("\(uid) \(type)")
    case .streamMessage(let uid, let stream, let data):
      messages.append("\(uid)/\(stream) \(String(decoding: data, as: UTF8.self))")
    case .error(let code, let message): errors.append("\(code): \(message)")
    case .left: isLeft = true
    default: break
    }
  }
}
