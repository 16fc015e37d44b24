import ALSAAudio
import MediaBase
import MediaEngine
import Synchronization

/// An engine with one connection, as the command line asks for it.
final class ClientSession: Sendable {
  let engine: RTCEngine
  let interruption = Interruption()
  let channel: String
  let uid: UInt
  let hasVideo: Bool
  let hasAudio: Bool
  private let token: String?
  private let profile: ChannelProfile
  private let printer: EventPrinter
  private let fate: Fate

  /// Whether the channel was ever joined, and why the connection failed, if it did.
  private final class Fate: Sendable {
    let hasJoined = Mutex(false)
    let failure = Mutex<ConnectionChangedReason?>(nil)
  }

  /// - Parameter publishes: whether `--video` and `--audio` are options of the command.
  init(_ options: CommandOptions, publishes: Bool, playout: (any AudioPlayout)? = nil) throws(CommandError) {
    let media =
      publishes
      ? try MediaChoice(video: options.text("--video"), audio: options.text("--audio"), burnsClock: true) : nil
    let (videoSource, audioSource) = (media?.video, media?.audio)
    guard let uid = try options.uid("--uid") else { throw .usage("--uid is missing.") }
    self.uid = uid
    channel = options.text("--channel")
    token = options.string("--token")
    switch options.text("--profile") {
    case "live": profile = .liveBroadcasting
    case "communication": profile = .communication
    case let text: throw .usage("--profile is '\(text)', but must be live or communication.")
    }
    hasVideo = videoSource != nil
    hasAudio = audioSource != nil
    let fate = Fate()
    let interruption = interruption
    self.fate = fate
    printer = EventPrinter(
      onJoined: { fate.hasJoined.withLock { $0 = true } },
      onFailed: { reason in
        fate.failure.withLock { $0 = reason }
        interruption.end()
      })
    var encoder = VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30)
    if publishes {
      guard let size = try options.size("--size"), let rate = try options.integer("--fps", in: 1...60),
        let bitrate = try options.integer("--kbps", in: 0...20_000)
      else { throw .usage("--size, --fps and --kbps need values.") }
      encoder = VideoEncoderConfiguration(width: size.width, height: size.height, frameRate: rate, bitrate: bitrate)
    }
    var configuration = RTCEngineConfiguration(
      server: try options.server(), videoSource: videoSource, audioSource: audioSource, playout: playout,
      videoEncoderConfiguration: encoder)
    configuration.trustedCertificates = options.string("--ca")
    engine = RTCEngine(configuration: configuration, delegate: printer)
    try EncryptionChoice.apply(options, to: engine)
  }

  /// Joins the channel.
  func join(_ options: ChannelMediaOptions) throws(CommandError) {
    var options = options
    options.channelProfile = profile
    let code = engine.joinChannel(token: token, channelID: channel, uid: uid, options: options)
    guard code != 0 else { return }
    switch EngineErrorCode(rawValue: -code) {
    case .invalidChannelName: throw .failure(Self.badChannelName(channel))
    case let code?: throw .failure("Joining \(channel) failed: \(code).")
    case nil: throw .failure("Joining \(channel) failed with \(code).")
    }
  }

  /// What is wrong with a channel's name.
  static func badChannelName(_ name: String) -> String {
    "'\(name)' cannot be a channel's name: it must be 1 to 63 ASCII letters, digits, spaces or some of the punctuation. "
      + "Choose another."
  }

  /// Throws if the channel was never joined, or the connection has failed for good.
  func checkConnection() throws(CommandError) {
    if let reason = fate.failure.withLock({ $0 }) {
      throw .failure("The connection to \(channel) has failed (\(reason)).")
    }
    guard fate.hasJoined.withLock({ $0 }) else {
      throw .failure("\(channel) was not joined: the server could not be reached.")
    }
  }
}
