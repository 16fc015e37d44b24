import RTPSession
import PeerTransport
import ControlWire
import ICEAgent
import MediaBase
import SecureChannel

/// One connection to a channel without any input or output of its own: the exchange on the control socket, joining,
/// reconnecting and leaving, the users and their media, publishing.
///
/// After every call its owner drains it: `pollControl()` for the control socket, `pollTransmit(into:)` for the UDP socket,
/// `pollEvent()` for everybody else, each until `nil`; then it waits for input or `nextTimeout`.
public struct ConnectionCore: ~Copyable, SansIOStateMachine {
  let configuration: ConnectionConfiguration
  let crypto: CryptoProvider
  let startTime: MediaInstant
  var random: SeededRandom

  // The exchange on the control socket (ConnectionCore+Control, +Changes, +Reconnecting).
  var phase: ControlPhase
  var commands = EventQueue<ControlCommand>()
  var wanted: ConnectionWishes
  /// What the server has granted, and that with all that it has not answered; both without inert publish flags.
  var confirmed: ConnectionWishes
  var told: ConnectionWishes
  /// Not answered yet.
  var pendingUpdates: [UpdateRequest] = []
  /// Whether the token allows messages on data streams, as far as the server has said.
  var maySendData = true
  /// The application waits for an answer to a token that the server has been shown already.
  var showsTokenAgain = false
  /// It has failed since its token has run out: another one brings it back.
  var awaitsToken = false
  var nextRequestID = 1
  var localICE = ICECredentials(usernameFragment: "", password: "")
  var attemptCount = 0
  var giveUpTime: MediaInstant?
  var lostTime: MediaInstant?
  var mediaDeadline: MediaInstant?
  /// Until when the server is to have answered to a change of role.
  var roleDeadline: MediaInstant?
  /// When it was told last that this machine's address has changed: control socket and media path notice by themselves.
  var addressWarningTime: MediaInstant?

  // What others see (ConnectionCore+Events).
  var events = EventQueue<ConnectionEvent>()
  var statistics = ConnectionStatistics()
  var joinTime: MediaInstant?
  /// The connection's state.
  public internal(set) var state = ConnectionState.connecting
  /// The local user's number: the one asked for, and after joining the one given.
  public internal(set) var uid: UInt

  // Media (ConnectionCore+Media, +Users, +Publishing).
  var path: MediaPath?
  var isMediaOpen = false
  /// When something that the server has certainly sent came last, while the media path is open.
  var lastReception: MediaInstant?
  /// Interrupted for want of data only: what comes next ends it.
  var isSilent = false
  var users: [UInt: RemoteUser] = [:]
  var streams: [UInt32: RemoteStreamKey] = [:]
  var freezeCheck: MediaInstant?
  var publishing = TrackFlags.none
  var needsKeyFrame = false
  /// The same for the smaller stream.
  var needsLowKeyFrame = false
  var reportsFirstVideo = false
  var reportsFirstAudio = false
  /// In bits per second.
  var videoDemand = 1_000_000
  var audioPublish: StateWatch<StreamPublishState>
  var videoPublish: StateWatch<StreamPublishState>
  var statisticsTime: MediaInstant?

  // Encryption between the ends (ConnectionCore+Encryption).
  var encryption: FrameEncryption

  /// Begins to connect: `pollControl()` asks for a socket at once.
  public init(configuration: ConnectionConfiguration, crypto: CryptoProvider, now: MediaInstant) {
    self.configuration = configuration
    self.crypto = crypto
    startTime = now
    random = SeededRandom(seed: configuration.seed)
    uid = configuration.uid
    wanted = ConnectionWishes(
      role: configuration.role, publish: configuration.publish, subscribe: configuration.subscribe,
      token: configuration.token, mediaState: configuration.mediaState,
      isAudioFilterable: configuration.isAudioFilterable)
    told = wanted
    confirmed = wanted
    encryption = FrameEncryption(
      channel: configuration.channel, settings: configuration.encryption,
      // Another sequence than that of `random`.
      seed: configuration.seed ^ 0x5346_7261_6D65, timing: configuration.timing, crypto: crypto)
    audioPublish = StateWatch(.idle, since: now)
    videoPublish = StateWatch(.idle, since: now)
    giveUpTime = now + configuration.timing.giveUp
    phase = .opening(deadline: now + configuration.timing.joinTimeout)
    commands.append(.connect)
    events.append(.stateChanged(.connecting, .connecting))
  }

  /// Whether the connection has been left or has failed and wants nothing but to be drained.
  public var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  /// Whether pictures given to `sendVideo` go out: published, confirmed by the server, and the media path is open.
  public var isSendingVideo: Bool { publishing.video && isMediaOpen }

  /// Whether sound given to `sendAudio` goes out.
  public var isSendingAudio: Bool { publishing.audio && isMediaOpen }

  /// The next event, in the order in which they happened.
  public mutating func pollEvent() -> ConnectionEvent? { events.popFirst() }

  /// The next thing to do with the control socket. Changes made by several `update` calls in a row become one request.
  public mutating func pollControl() -> ControlCommand? {
    if let command = commands.popFirst() { return command }
    guard case .joined = phase else { return nil }
    return pollUpdate()
  }

  /// The next datagram to send and where to. `datagram` needs room for 1,500 bytes.
  public mutating func pollTransmit(into datagram: inout OutputRawSpan) -> TransportAddress? {
    let start = datagram.byteCount
    guard let address = path?.pollTransmit(into: &datagram) else { return nil }
    statistics.sentPackets += 1
    statistics.sentBytes += datagram.byteCount - start
    return address
  }

  /// When `handleTimeout(now:)` wants to be called.
  public var nextTimeout: MediaInstant? {
    var earliest = MediaInstant.earliest(phase.deadline, freezeCheck)
    earliest = .earliest(earliest, lostTime)
    earliest = .earliest(earliest, giveUpTime)
    earliest = .earliest(earliest, mediaDeadline)
    earliest = .earliest(earliest, roleDeadline)
    earliest = .earliest(earliest, statisticsTime)
    earliest = .earliest(earliest, silenceDeadline)
    return .earliest(earliest, mediaTimeout)
  }

  /// Does everything that has become due.
  public mutating func handleTimeout(now: MediaInstant) {
    handleControlTimeout(now: now)
    path?.transport.handleTimeout(now: now)
    path?.session.handleTimeout(now: now)
    drainPath(now: now)
    checkFrozenStreams(now: now)
    reportStatisticsIfDue(now: now)
  }
}
