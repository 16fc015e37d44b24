import CallAPI
import ControlWire
import Foundation

/// The keys of both sides in the stories of the twins: of private keys that every run has alike.
enum CallTwinKeys {
  private static let ownPrivateKey = (1...32).map { UInt8($0) }

  static var own: CallKeyPair? { CallKeyPair(privateKey: ownPrivateKey) }

  /// What the other side sends.
  static let peerPublicKey = CallKeyPair(privateKey: (101...132).map { UInt8($0) })?.publicKey ?? []

  /// Which no secret follows from (RFC 7748 section 6.1).
  static let uselessPublicKey = [UInt8](repeating: 0, count: 32)

  /// One's own pair as `agree` of callkeys.js takes it, once it is imported (RFC 8037).
  static var script: String {
    let publicKey = own?.publicKey ?? []
    return """
      {
        privateKey: await crypto.subtle.importKey('jwk', {
          kty: 'OKP', crv: 'X25519', d: '\(base64URL(ownPrivateKey))', x: '\(base64URL(publicKey))',
        }, 'X25519', false, ['deriveBits']),
        publicKey: '\(HexadecimalText.encode(publicKey))',
      }
      """
  }

  private static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
