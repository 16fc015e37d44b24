import Foundation

/// A certificate for 127.0.0.1, localhost and other addresses that are named, which signs itself, made by the `openssl`
/// program in a directory of its own.
public final class TestCertificate: Sendable {
  /// The certificate in PEM; clients that trust this file trust the server.
  public let certificate: String
  /// Its private key in PEM.
  public let key: String
  private let directory: URL
  private let addresses: [String]

  /// Makes one; throws if the program fails.
  public init(_ addresses: [String] = []) throws {
    self.addresses = addresses
    directory = FileManager.default.temporaryDirectory.appending(path: "greenroom-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    certificate = directory.appending(path: "certificate.pem").path
    key = directory.appending(path: "key.pem").path
    try replace()
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Puts another certificate in the place of this one, as a renewal does.
  public func replace() throws {
    let (newCertificate, newKey) = (certificate + ".new", key + ".new")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
      + [
        "-subj", "/CN=greenroom test", "-addext",
        "subjectAltName=IP:127.0.0.1,DNS:localhost" + addresses.map { ",IP:\($0)" }.joined(),
      ]
      + ["-keyout", newKey, "-out", newCertificate]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    // The key first: for a moment the two do not belong together.
    for (new, old) in [(newKey, key), (newCertificate, certificate)] { _ = rename(new, old) }
  }
}
