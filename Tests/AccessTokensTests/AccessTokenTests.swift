import AccessTokens
import Foundation
import MediaBase
import TestSupport
import Testing
import ZlibCompression

@Suite("Access tokens", .ownThread)
struct AccessTokenTests {
  private struct Fields: Codable, Equatable {
    struct Service: Codable, Equatable {
      var privileges: [String: UInt32]
      var channel: String?
      var user: String
    }
    var app: String
    var certificate: String?
    var issued: UInt32
    var lifetime: UInt32
    var salt: UInt32
    var level: Int?
    var unknown: Bool?
    var rtc: Service?
    var signaling: Service?
    var signed: Bool?
  }

  private static func hexadecimal(_ random: inout SeededRandom) -> String {
    (0..<32).map { _ in String(UInt8.random(in: 0...15, using: &random), radix: 16) }.joined()
  }

  private static func fields(_ random: inout SeededRandom) -> Fields {
    func privileges(_ ids: ClosedRange<Int>) -> [String: UInt32] {
      let chosen = ids.filter { _ in Bool.random(using: &random) }
      return Dictionary(
        uniqueKeysWithValues: chosen.map { (String($0), UInt32.random(in: 0...90_000, using: &random)) })
    }
    var fields = Fields(
      app: hexadecimal(&random), certificate: hexadecimal(&random),
      issued: UInt32.random(in: 0...UInt32.max, using: &random),
      lifetime: UInt32.random(in: 1...86_400, using: &random), salt: UInt32.random(in: 1...99_999_999, using: &random))
    fields.level = Int.random(in: 0...9, using: &random)
    fields.unknown = Bool.random(using: &random)
    if Bool.random(using: &random) {
      fields.rtc = .init(
        privileges: privileges(1...4), channel: ["show", "", "*", "räume*"].randomElement(using: &random), user: "7")
    }
    if Bool.random(using: &random) { fields.signaling = .init(privileges: privileges(1...1), user: "7") }
    return fields
  }

  private static func made(_ fields: Fields) -> AccessToken {
    var services: [AccessTokenService] = []
    if let rtc = fields.rtc {
      let privileges = rtc.privileges.map { (TokenPrivilege(rawValue: UInt16($0.key) ?? 0) ?? .publishData, $0.value) }
      services.append(
        .rtc(
          RTCTokenService(
            privileges: Dictionary(uniqueKeysWithValues: privileges), channel: rtc.channel ?? "", userID: rtc.user)))
    }
    if let signaling = fields.signaling {
      services.append(.signaling(SignalingTokenService(login: signaling.privileges["1"], userID: signaling.user)))
    }
    return AccessToken(
      appID: fields.app, issueTime: fields.issued, lifetime: fields.lifetime, salt: fields.salt, services: services)
  }

  @Test("another implementation's tokens are read and found authentic, however they are compressed")
  func fromPython() throws {
    var random = SeededRandom(seed: 1)
    let all = (0..<60).map { _ in Self.fields(&random) }
    let lines = try all.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let texts = try python("make", lines)
    #expect(texts.count == all.count)
    for (fields, text) in zip(all, texts) {
      let signed = try SignedAccessToken(parsing: text, crypto: tokenCrypto)
      #expect(signed.token == Self.made(fields))
      #expect(signed.isSigned(with: try #require(fields.certificate), crypto: tokenCrypto))
      #expect(!signed.isSigned(with: certificate, crypto: tokenCrypto))
    }
  }

  @Test("another implementation reads what is made here, and finds it authentic")
  func toPython() throws {
    var random = SeededRandom(seed: 2)
    let all = (0..<60).map { _ in Self.fields(&random) }
    let lines = try all.map { fields in
      let certificate = try #require(fields.certificate)
      return certificate + " " + (try Self.made(fields).text(certificate: certificate, crypto: tokenCrypto))
    }
    let shown = try python("show", lines)
    #expect(shown.count == all.count)
    for (fields, line) in zip(all, shown) {
      var expected = fields
      (expected.certificate, expected.level, expected.unknown, expected.signed) = (nil, nil, nil, true)
      #expect(try JSONDecoder().decode(Fields.self, from: Data(line.utf8)) == expected)
    }
  }

  @Test("a token with any single bit changed is refused")
  func everyBit() throws {
    let levels = ["0", "1", "9"]
    let lines = levels.map { level in
      #"{"app":"\#(appID)","certificate":"\#(certificate)","issued":\#(issued),"lifetime":600,"salt":1,"level":\#(level),"#
        + #""rtc":{"privileges":{"1":0},"channel":"show","user":"7"}}"#
    }
    let verifier = try verifier()
    for text in try python("make", lines) {
      #expect(throws: Never.self) { try verifier.rights(of: text, channel: "show", uid: 7, time: now) }
      let bytes = Array(text.utf8)
      for bit in 0..<bytes.count * 8 {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        guard let other = String(validating: changed, as: UTF8.self) else { continue }
        #expect(throws: AccessTokenError.self, "bit \(bit) of \(text)") {
          try verifier.rights(of: other, channel: "show", uid: 7, time: now)
        }
      }
      // The bits under Base64, too: each is one of the compressed stream.
      for part in [text.dropLast(), text.dropLast(4), Substring(text + "="), Substring(text + "AAAA")] {
        #expect(throws: AccessTokenError.self) {
          try verifier.rights(of: String(part), channel: "show", uid: 7, time: now)
        }
      }
    }
  }

  @Test("random and hostile texts are refused, and none grows without bound")
  func hostile() throws {
    var random = SeededRandom(seed: 3)
    let verifier = try verifier()
    func refuse(_ text: String) {
      #expect(throws: AccessTokenError.self) { try verifier.rights(of: text, channel: "show", uid: 7, time: now) }
    }
    for text in ["", "0", "007", "006AAAA", "007====", "007=AAA", "007A===", "007 AAA", "007AAAA"] { refuse(text) }
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...120, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      refuse("007" + Data(bytes).base64EncodedString())
      // Good framing around random content.
      refuse("007" + Data(try #require(Zlib.compress(bytes))).base64EncodedString())
    }
    let bomb = try #require(Zlib.compress([UInt8](repeating: 0, count: 1_000_000)))
    #expect(Zlib.decompress(bomb, limit: 8_192) == nil)
    refuse("007" + Data(bomb).base64EncodedString())
    refuse("007" + String(repeating: "A", count: 100_000))
  }

  @Test("ids and certificates have 32 hexadecimal digits, and names fit their length")
  func limits() {
    #expect(throws: AccessTokenError.invalidSecret) { try text { $0.appID = "970CA35de60c44645bbae8a215061b3" } }
    #expect(throws: AccessTokenError.invalidSecret) { try token().text(certificate: "", crypto: tokenCrypto) }
    #expect(throws: AccessTokenError.invalidSecret) {
      try TokenVerifier(appID: appID, certificates: [], crypto: tokenCrypto)
    }
    #expect(throws: AccessTokenError.tooLong) {
      try text {
        $0.services = [.rtc(RTCTokenService(channel: String(repeating: "x", count: 65_536), uid: 1, publishes: false))]
      }
    }
  }
}
