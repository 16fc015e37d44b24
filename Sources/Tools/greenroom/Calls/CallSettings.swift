import ALSAAudio
import CallAPI
import MediaBase
import MediaEngine

/// Options that `call` and `answer` share, and what is made of them.
enum CallSettings {
  static let options: [CommandSpecification.Option] =
    [
      SharedOptions.server,
      .optional(
        "--signaling", "URL",
        "the server for messages between callers, if another than for pictures and sound: one with the same --redis"),
      .required("--uid", "N", "the local user's number, 1 to 4294967295"),
      .optional("--token", "TEXT", "proof of the right to log in and to join rooms; not needed in development mode"),
      .optional(
        "--room-token-command", "COMMAND",
        "a shell command that prints a token for the room $GREENROOM_ROOM and the user $GREENROOM_UID; asked for each channel"
      ),
      SharedOptions.trustedCertificates,
      .optional(
        "--e2e", "required|preferred",
        "encrypt each call with a key of its own that the server does not get; bare: required"),
      .flag("--window", "show the other side in a window while connected"),
      .optional("--ring", "S", "how long a call may ring and connect", default: "15"),
      .optional("--absence", "S", "end a call whose other side has been gone for so long", default: "10"),
      .flag("--speaker", "play the sound on the default speaker"),
      .optional("--snapshot", "F.png", "write the last picture of the other side to this file"),
    ].map { option in
      var option = option
      if option.name == "--e2e" { option.isValueOptional = true }
      return option
    } + SharedOptions.encryption + SharedOptions.media

  /// What `--e2e` asks for.
  static func encryption(_ options: CommandOptions) throws(CommandError) -> CallEncryptionPolicy {
    guard options.has("--e2e") else { return .off }
    switch options.string("--e2e") ?? "required" {
    case "required": return .required
    case "preferred": return .preferred
    case let text: throw .usage("--e2e is '\(text)', but must be required or preferred.")
    }
  }

  /// The engine's configuration for the given options.
  static func engine(_ options: CommandOptions) throws(CommandError) -> RTCEngineConfiguration {
    guard let size = try options.size("--size"), let rate = try options.integer("--fps", in: 1...60),
      let bitrate = try options.integer("--kbps", in: 0...20_000)
    else { throw .usage("--size, --fps and --kbps need values.") }
    let media = try MediaChoice(video: options.text("--video"), audio: options.text("--audio"), burnsClock: true)
    let playout: (any AudioPlayout)? = options.has("--speaker") ? SpeakerPlayout() : nil
    var configuration = RTCEngineConfiguration(
      server: try options.server(), videoSource: media.video, audioSource: media.audio, playout: playout,
      videoEncoderConfiguration: VideoEncoderConfiguration(
        width: size.width, height: size.height, frameRate: rate, bitrate: bitrate))
    configuration.trustedCertificates = options.string("--ca")
    return configuration
  }

  /// The local user.
  static func uid(_ options: CommandOptions) throws(CommandError) -> UInt {
    guard let uid = try options.uid("--uid") else { throw .usage("--uid is missing.") }
    return uid
  }
}
