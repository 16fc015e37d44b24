import AccessTokens
import Foundation
import MediaBase
import OpenSSLCrypto
import Testing
import ZlibCompression

let tokenCrypto = AccessTokenCrypto(
  hmacSHA256: { OpenSSLCrypto.hmacSHA256(key: $0, message: $1) }, compress: { Zlib.compress($0) },
  decompress: { Zlib.decompress($0, limit: $1) })

let appID = "970ca35de60c44645bbae8a215061b33"
let certificate = "5cfd2fd1755d40ecb72977518be15d3b"
let issued: UInt32 = 1_700_000_000
let now = UInt64(issued)

/// A token for user 2882341273 in channel "show" with all rights, changed by a test.
func token(_ change: (inout AccessToken) -> Void = { _ in }) -> AccessToken {
  var token = AccessToken(
    appID: appID, issueTime: issued, lifetime: 600, salt: 1,
    services: [.rtc(RTCTokenService(channel: "show", uid: 2_882_341_273, publishes: true))])
  change(&token)
  return token
}

func text(_ change: (inout AccessToken) -> Void = { _ in }) throws -> String {
  try token(change).text(certificate: certificate, crypto: tokenCrypto)
}

func verifier() throws -> TokenVerifier {
  try TokenVerifier(appID: appID, certificates: [certificate], crypto: tokenCrypto)
}

/// What the script of the same name in Python answers to lines of input.
func python(_ verb: String, _ lines: [String]) throws -> [String] {
  let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Python/access_token.py")
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", script.path, verb]
  let (input, output) = (Pipe(), Pipe())
  process.standardInput = input
  process.standardOutput = output
  try process.run()
  input.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8))
  try input.fileHandleForWriting.close()
  let answer = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
}
