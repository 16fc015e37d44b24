import AccessTokens
import ChannelServer
import Foundation

/// `greenroom token show`: what a token says.
enum TokenShowCommand: Command {
  static let specification = CommandSpecification(
    name: "token show", summary: "show what a token says",
    details: "Anybody can read a token; whether it is good, `greenroom token check` tells.",
    options: [.required("--token", "TEXT", "the token")])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let token: AccessToken
    do throws(AccessTokenError) {
      token = try SignedAccessToken(parsing: options.text("--token"), crypto: .system).token
    } catch { throw .failure(error.description) }
    let issued = Date(timeIntervalSince1970: TimeInterval(token.issueTime))
    let end = issued + TimeInterval(token.lifetime)
    print("application  \(token.appID)")
    print("issued       \(issued.ISO8601Format())")
    print("ends         \(end.ISO8601Format())\(end < Date() ? "  (over)" : "")")
    if let rtc = token.rtc {
      print("channel      \(rtc.channel.isEmpty ? "any" : rtc.channel)")
      print("user         \(["", "0", "*"].contains(rtc.userID) ? "any" : rtc.userID)")
      for (privilege, expiry) in rtc.privileges.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        print("may          \(privilege)\(expiry == 0 ? "" : " for \(expiry) s")")
      }
    }
    if let signaling = token.signaling, let login = signaling.login {
      print("signalling   user \(signaling.userID)\(login == 0 ? "" : " for \(login) s")")
    }
    return .success
  }
}
