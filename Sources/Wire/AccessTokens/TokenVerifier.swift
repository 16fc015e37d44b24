/// Holds tokens against an application's certificates.
public struct TokenVerifier: Sendable {
  /// Clocks may differ by this many seconds.
  private static let clockTolerance: UInt64 = 60

  /// The application that tokens have to be for.
  public let appID: String
  private let certificates: [String]
  private let crypto: AccessTokenCrypto

  /// - Parameters:
  ///   - appID: 32 hexadecimal digits.
  ///   - certificates: any of them is good, so that one can be replaced without a gap; 32 hexadecimal digits each.
  public init(appID: String, certificates: [String], crypto: AccessTokenCrypto) throws(AccessTokenError) {
    guard AccessToken.isSecret(appID), !certificates.isEmpty, certificates.allSatisfy(AccessToken.isSecret) else {
      throw .invalidSecret
    }
    self.appID = appID
    self.certificates = certificates
    self.crypto = crypto
  }

  /// What the holder of a token may do in a channel.
  ///
  /// - Parameters:
  ///   - uid: who shows it; 0 for somebody who wants to be given a number; nil for whomever it was made for.
  ///   - time: now, in seconds since 1970.
  public func rights(
    of text: String, channel: String, uid: UInt?, time: UInt64
  ) throws(AccessTokenError) -> ChannelRights {
    let token = try authentic(text, time: time)
    guard let service = token.rtc else { throw .noService }
    guard !service.isForEverybodyEverywhere else { throw .tooBroad }
    guard ChannelPattern(service.channel).matches(channel) else { throw .wrongChannel }
    if let uid, !Self.isFor(uid, service.userID) { throw .wrongUser }
    guard let join = token.end(of: service.privileges[.joinChannel]) else { throw .noPrivilege }
    guard time < join else { throw .expired }
    return ChannelRights(
      join: join, publishAudio: token.end(of: service.privileges[.publishAudio]),
      publishVideo: token.end(of: service.privileges[.publishVideo]),
      publishData: token.end(of: service.privileges[.publishData]))
  }

  /// Until when the holder may be logged in to signalling, in seconds since 1970.
  public func signalingEnd(of text: String, uid: UInt, time: UInt64) throws(AccessTokenError) -> UInt64 {
    let token = try authentic(text, time: time)
    guard let service = token.signaling else { throw .noService }
    guard service.userID == String(uid) else { throw .wrongUser }
    guard let end = token.end(of: service.login) else { throw .noPrivilege }
    guard time < end else { throw .expired }
    return end
  }

  /// The token, if it was made for this application and is valid at `time`.
  private func authentic(_ text: String, time: UInt64) throws(AccessTokenError) -> AccessToken {
    let signed = try SignedAccessToken(parsing: text, crypto: crypto)
    let token = signed.token
    guard token.appID == appID else { throw .wrongAppID }
    guard certificates.contains(where: { signed.isSigned(with: $0, crypto: crypto) }) else { throw .wrongSignature }
    guard UInt64(token.issueTime) <= time + Self.clockTolerance else { throw .notYetValid }
    guard token.lifetime <= AccessToken.maximumLifetime else { throw .lifetimeTooLong }
    guard time < token.end else { throw .expired }
    return token
  }

  private static func isFor(_ uid: UInt, _ userID: String) -> Bool {
    RTCTokenService.isEverybody(userID) || (uid != 0 && userID == String(uid))
  }
}

extension AccessToken {
  /// When it ends, in seconds since 1970.
  var end: UInt64 { UInt64(issueTime) + UInt64(lifetime) }

  /// When a right ends, never after the token; nil if it is not given.
  func end(of privilege: UInt32?) -> UInt64? {
    privilege.map { $0 == 0 ? end : min(end, UInt64(issueTime) + UInt64($0)) }
  }
}
