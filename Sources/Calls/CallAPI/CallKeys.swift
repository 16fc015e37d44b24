import OpenSSLCrypto

/// What both sides of a call compute from their key pairs.
struct CallKeys: Hashable, Sendable {
  /// For the call's channel.
  let media: CallMediaKey
  /// 12 digits that both sides see alike if nobody stands between them: two people who know each other's voices can
  /// compare them.
  let authenticationText: String

  /// Everything that tells one call from another is part of the keys, so that nothing of one call is good in another, nor
  /// from one user to the next. `nil` if the other side's key is none.
  init?(
    own: CallKeyPair, peerPublicKey: [UInt8], isCaller: Bool, userID: UInt, peer: UInt, callID: String, room: String
  ) {
    guard let secret = OpenSSLCrypto.x25519(privateKey: own.privateKey, publicKey: peerPublicKey) else { return nil }
    let (caller, callee) = isCaller ? (userID, peer) : (peer, userID)
    let (callerKey, calleeKey) =
      isCaller ? (own.publicKey, peerPublicKey) : (peerPublicKey, own.publicKey)
    func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(value).bigEndian) { Array($0) } }
    func text(_ value: String) -> [UInt8] { number(value.utf8.count) + Array(value.utf8) }
    let context =
      number(Int(caller)) + number(Int(callee)) + text(callID) + text(room) + callerKey + calleeKey
    guard
      let key = OpenSSLCrypto.deriveKey(
        from: secret, context: Array("Greenroom call media ".utf8) + context, byteCount: 32),
      let digits = OpenSSLCrypto.deriveKey(
        from: secret, context: Array("Greenroom call authentication ".utf8) + context, byteCount: 8)
    else { return nil }
    media = CallMediaKey(text: key.map { Self.hexadecimal($0) }.joined())
    authenticationText = Self.text(digits.reduce(0) { $0 &<< 8 | UInt64($1) })
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// Three groups of four digits: 40 bits, too many to be matched by trying keys while a call rings.
  private static func text(_ value: UInt64) -> String {
    let digits = String(value % 1_000_000_000_000)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    return stride(from: 0, to: 12, by: 4).map { String(padded.dropFirst($0).prefix(4)) }.joined(separator: " ")
  }
}
