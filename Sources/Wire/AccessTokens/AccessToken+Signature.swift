extension AccessToken {
  /// The token as text, signed.
  ///
  /// - Throws: `invalidSecret`, `tooLong`, `tooBroad` (for more than one channel and for every user at once), `cryptoFailed`.
  public func text(certificate: String, crypto: AccessTokenCrypto) throws(AccessTokenError) -> String {
    guard rtc?.isForEverybodyEverywhere != true else { throw .tooBroad }
    return try signedText(certificate: certificate, crypto: crypto)
  }

  /// The same for a token that says anything.
  func signedText(certificate: String, crypto: AccessTokenCrypto) throws(AccessTokenError) -> String {
    guard Self.isSecret(appID), Self.isSecret(certificate) else { throw .invalidSecret }
    var writer = TokenWriter()
    try write(into: &writer)
    guard
      let signature = Self.signature(
        of: writer.bytes, issueTime: issueTime, salt: salt, certificate: certificate, crypto)
    else { throw .cryptoFailed }
    var content = TokenWriter()
    try content.append(signature)
    guard let compressed = crypto.compress(content.bytes + writer.bytes) else { throw .cryptoFailed }
    return Self.version + Base64.encode(compressed)
  }

  /// The key is derived from the certificate, the time and the salt; so no two tokens are signed with the same.
  static func signature(
    of body: [UInt8], issueTime: UInt32, salt: UInt32, certificate: String, _ crypto: AccessTokenCrypto
  ) -> [UInt8]? {
    guard let first = crypto.hmacSHA256(TokenWriter.littleEndian(issueTime), Array(certificate.utf8)),
      let key = crypto.hmacSHA256(TokenWriter.littleEndian(salt), first)
    else { return nil }
    return crypto.hmacSHA256(key, body)
  }

  private func write(into writer: inout TokenWriter) throws(AccessTokenError) {
    try writer.append(appID)
    writer.append(issueTime)
    writer.append(lifetime)
    writer.append(salt)
    writer.append(UInt16(truncatingIfNeeded: services.count))
    for service in services.sorted(by: { $0.type < $1.type }) {
      writer.append(service.type)
      switch service {
      case .rtc(let rtc):
        let privileges = rtc.privileges.map { (id: $0.key.rawValue, expiry: $0.value) }
        writer.append(privileges: privileges)
        try writer.append(rtc.channel)
        try writer.append(rtc.userID)
      case .signaling(let signaling):
        writer.append(privileges: signaling.login.map { [(id: UInt16(1), expiry: $0)] } ?? [])
        try writer.append(signaling.userID)
      }
    }
  }
}

/// A token as somebody has shown it: who made it is not known before the signature has been checked.
public struct SignedAccessToken: Sendable {
  /// Longest text that is looked at.
  public static let maximumTextLength = 2_048
  /// Longest content after decompression.
  private static let maximumContentLength = 8_192

  /// What it says.
  public let token: AccessToken
  private let signature: [UInt8]
  private let body: [UInt8]

  /// Reads a text. What follows a service of unknown type is not read, but is signed.
  public init(parsing text: String, crypto: AccessTokenCrypto) throws(AccessTokenError) {
    guard text.utf8.count <= Self.maximumTextLength, text.utf8.starts(with: AccessToken.version.utf8),
      let compressed = Base64.decode(text.utf8.dropFirst(AccessToken.version.utf8.count)),
      let content = crypto.decompress(compressed, Self.maximumContentLength)
    else { throw .malformed }
    var reader = TokenReader(content)
    guard let signature = reader.bytes() else { throw .malformed }
    body = reader.rest
    guard let token = reader.token() else { throw .malformed }
    self.signature = signature
    self.token = token
  }

  /// Whether it was made with this certificate.
  public func isSigned(with certificate: String, crypto: AccessTokenCrypto) -> Bool {
    guard
      let expected = AccessToken.signature(
        of: body, issueTime: token.issueTime, salt: token.salt, certificate: certificate, crypto),
      expected.count == signature.count
    else { return false }
    // In the same time whatever differs.
    return zip(expected, signature).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
