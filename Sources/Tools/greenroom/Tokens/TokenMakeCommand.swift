import AccessTokens
import ChannelServer
import Foundation

/// `greenroom token make`: a token for a user.
enum TokenMakeCommand: Command {
  static let specification = CommandSpecification(
    name: "token make", summary: "make a token for a user",
    details: """
      Prints an AccessToken2 (007) for a channel, and for signalling. Whoever has it may enter until it ends. In --channel
      * stands for any characters, for a user who is named.
      """,
    options: TokenSecrets.options + [
      .optional("--channel", "NAME", "the channel; without it the token is for signalling only"),
      .required("--uid", "N", "whose token it is, 1 to 4294967295; 0 for everybody, without signalling"),
      .optional("--role", "ROLE", "publisher, or subscriber who may only join", default: "publisher"),
      .optional("--seconds", "S", "how long it is good, at most 86400", default: "3600"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let appID = try TokenSecrets.appID(options)
    let certificates = try TokenSecrets.certificates(options)
    guard let uid = try options.integer("--uid", in: 0...4_294_967_295).map(UInt.init),
      let lifetime = try options.integer("--seconds", in: 1...Int(AccessToken.maximumLifetime))
    else { throw .usage("--uid and --seconds need values.") }
    let role = options.text("--role")
    guard ["publisher", "subscriber"].contains(role) else {
      throw .usage("--role is '\(role)', but must be publisher or subscriber.")
    }
    var services: [AccessTokenService] = []
    if let channel = options.string("--channel") {
      services.append(.rtc(RTCTokenService(channel: channel, uid: uid, publishes: role == "publisher")))
    }
    if uid != 0 { services.append(.signaling(SignalingTokenService(userID: String(uid)))) }
    guard !services.isEmpty else { throw .usage("Without --channel and with --uid 0 the token would be for nothing.") }
    let token = AccessToken(
      appID: appID, issueTime: UInt32(clamping: Int64(Date().timeIntervalSince1970)), lifetime: UInt32(lifetime),
      salt: UInt32.random(in: 1...99_999_999), services: services)
    do throws(AccessTokenError) {
      print(try token.text(certificate: certificates[0], crypto: .system))
    } catch { throw .failure(error.description) }
    return .success
  }
}
