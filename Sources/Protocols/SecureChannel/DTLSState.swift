/// Where a DTLS association stands (RFC 5764).
public enum DTLSState: Sendable, Equatable {
  /// The handshake goes on.
  case handshaking
  /// Both sides have agreed and the other side's certificate is the announced one; these are the keys for SRTP.
  case established(DTLSKeys)
  /// It will not come about.
  case failed(DTLSFailure)
  /// The other side has ended it.
  case closed
}

/// Why a DTLS association failed.
public enum DTLSFailure: Error, Hashable, Sendable {
  /// The other side's certificate is not the one whose fingerprint was announced (RFC 8122 section 6.2).
  case fingerprintMismatch
  /// No protection profile in common, or the other side does not do SRTP.
  case noProtectionProfile
  /// The handshake went wrong: no common cipher, a bad message, an alert.
  case handshake
  /// The other side did not answer in time.
  case timeout
}

/// What the handshake gives to SRTP (RFC 5764 section 4.2).
public struct DTLSKeys: Sendable, Equatable {
  /// How packets are protected.
  public let profile: SRTPProtectionProfile
  /// Master key and salt of what the client sends, one behind the other.
  public let client: [UInt8]
  /// Master key and salt of what the server sends.
  public let server: [UInt8]

  /// Makes a set of keys.
  public init(profile: SRTPProtectionProfile, client: [UInt8], server: [UInt8]) {
    self.profile = profile
    self.client = client
    self.server = server
  }

  /// Cuts the exporter's output: client key, server key, client salt, server salt. `nil` if it has another length.
  public init?(profile: SRTPProtectionProfile, exported bytes: [UInt8]) {
    let salt = profile.saltByteCount
    guard bytes.count == 2 * (16 + salt) else { return nil }
    self.init(
      profile: profile, client: Array(bytes[0..<16] + bytes[32..<32 + salt]),
      server: Array(bytes[16..<32] + bytes[(32 + salt)...]))
  }
}
