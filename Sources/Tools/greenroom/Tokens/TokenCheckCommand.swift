import AccessTokens
import ChannelServer
import Foundation

/// `greenroom token check`: whether a server would take a token.
enum TokenCheckCommand: Command {
  static let specification = CommandSpecification(
    name: "token check", summary: "check a token as a server would",
    details: "Exits with 0 if the token is good now for the user and the channel, or for signalling without --channel.",
    options: TokenSecrets.options + [
      .required("--token", "TEXT", "the token"),
      .optional("--channel", "NAME", "the channel to be joined"),
      .required("--uid", "N", "who shows it, 1 to 4294967295; 0 for who wants to be given a number"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let appID = try TokenSecrets.appID(options)
    let certificates = try TokenSecrets.certificates(options)
    guard let uid = try options.integer("--uid", in: 0...4_294_967_295).map(UInt.init) else {
      throw .usage("--uid needs a value.")
    }
    let time = UInt64(max(Date().timeIntervalSince1970, 0))
    do throws(AccessTokenError) {
      let verifier = try TokenVerifier(appID: appID, certificates: certificates, crypto: .system)
      guard let channel = options.string("--channel") else {
        let end = try verifier.signalingEnd(of: options.text("--token"), uid: uid, time: time)
        print("good for signalling, for \(end - time) s")
        return .success
      }
      let rights = try verifier.rights(of: options.text("--token"), channel: channel, uid: uid, time: time)
      print("good to join \(channel), for \(rights.join - time) s")
      for (name, end) in [
        ("sound", rights.publishAudio), ("video", rights.publishVideo), ("data", rights.publishData),
      ] {
        print(end.map { "may publish \(name), for \($0 > time ? $0 - time : 0) s" } ?? "may not publish \(name)")
      }
    } catch { throw .failure(error.description) }
    return .success
  }
}
