import AccessTokens
import Foundation

/// The application's id and certificates, as the command line names them. Certificates are never arguments, which every
/// user of the machine can read.
enum TokenSecrets {
  static let environmentName = "GREENROOM_CERTIFICATE"

  static let options: [CommandSpecification.Option] = [
    .optional("--app-id", "ID", "the application's id, 32 hexadecimal digits"),
    .optional(
      "--certificate-file", "FILE",
      "the application's certificate, 32 hexadecimal digits; while it is replaced both, a line each. Without it "
        + "the environment's \(environmentName) is used"),
  ]

  /// Those that are given.
  static func certificates(_ options: CommandOptions) throws(CommandError) -> [String] {
    let text: String
    if let file = options.string("--certificate-file") {
      do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
        throw .failure("\(file) cannot be read: \(error.reason).")
      }
    } else {
      text = ProcessInfo.processInfo.environment[environmentName] ?? ""
    }
    let certificates = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard !certificates.isEmpty else {
      throw .usage("The certificate is missing: give --certificate-file, or put it into \(environmentName).")
    }
    // What is wrong with it is not shown: it is a secret.
    guard certificates.allSatisfy(AccessToken.isSecret) else {
      throw .failure("The certificate must have 32 hexadecimal digits.")
    }
    return certificates
  }

  static func appID(_ options: CommandOptions) throws(CommandError) -> String {
    guard let id = options.string("--app-id") else { throw .usage("--app-id ID is missing.") }
    guard AccessToken.isSecret(id) else {
      throw .usage("--app-id is '\(id)', but must have 32 hexadecimal digits.")
    }
    return id
  }
}
