import Foundation
import MediaEngine

/// The key of `--key` or `--key-file`.
enum EncryptionChoice {
  static func configuration(_ options: CommandOptions) throws(CommandError) -> EncryptionConfiguration? {
    var key = options.string("--key")
    if let file = options.string("--key-file") {
      guard key == nil else { throw .usage("Give --key or --key-file, not both.") }
      do {
        key = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      } catch { throw .failure("\(file) cannot be read: \(error.reason).") }
    }
    guard let key else { return nil }
    guard !key.isEmpty else { throw .usage("The key is empty.") }
    return EncryptionConfiguration(key: key)
  }

  /// Has an engine encrypt, if a key is given.
  static func apply(_ options: CommandOptions, to engine: RTCEngine) throws(CommandError) {
    guard let configuration = try configuration(options) else { return }
    let code = engine.enableEncryption(true, configuration: configuration)
    guard code == 0 else { throw .failure("Encryption cannot be turned on (\(code)).") }
    Terminal.event("encrypting between the ends")
  }
}
