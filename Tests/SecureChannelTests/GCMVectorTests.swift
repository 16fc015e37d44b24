import MultiBufferCrypto
import Testing

@testable import SecureChannel

@Suite("SRTP: test vectors of AEAD_AES_128_GCM")
struct GCMVectorTests {
  private let vectorKeys: SRTPSessionKeys

  init() {
    let part = SRTPSessionKeys.Part(
      cipherKey: bytes("000102030405060708090a0b0c0d0e0f"), salt: bytes("517569642070726f2071756f"))
    vectorKeys = SRTPSessionKeys(profile: .aeadAES128GCM, rtp: part, rtcp: part)
  }

  @Test(arguments: GCMLibrary.allCases) func rtpMatchesTheVectorOfRFC7714Section16(
    library: GCMLibrary
  ) throws {
    guard let crypto = library.provider else { return }
    let plain = bytes(
      "8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976 69736120 696e2070 61727465 73207472 6573"
    )
    let sealed = bytes(
      """
      8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a 51c7d19b 36de3adf \
      8833899d 7f27beb1 6a9152cf 765ee439 0cce
      """)
    var sender = try SRTPSender(sessionKeys: vectorKeys, crypto: crypto)
    var receiver = try SRTPReceiver(sessionKeys: vectorKeys, crypto: crypto)
    #expect(try edited(plain) { try sender.protectRTP($0, length: $1) } == sealed)
    #expect(try edited(sealed) { try receiver.unprotectRTP($0, length: $1) } == plain)
  }

  @Test(arguments: GCMLibrary.allCases) func rtcpMatchesTheVectorOfRFC7714Section17(
    library: GCMLibrary
  ) throws {
    guard let crypto = library.provider else { return }
    let plain = bytes(
      """
      81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef \
      deadbeef
      """)
    let sealed = bytes(
      """
      81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda 4ce09b46 86303ded \
      0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4
      """)
    var sender = try SRTPSender(sessionKeys: vectorKeys, crypto: crypto, nextRTCPIndex: 0x5d4)
    var receiver = try SRTPReceiver(sessionKeys: vectorKeys, crypto: crypto)
    #expect(try edited(plain) { try sender.protectRTCP($0, length: $1) } == sealed)
    #expect(try edited(sealed) { try receiver.unprotectRTCP($0, length: $1) } == plain)
  }
}

/// Who does AES-GCM.
enum GCMLibrary: CaseIterable {
  case openSSL, multiBuffer

  /// `nil` where it is not installed, or the processor is not one that it is for.
  var provider: CryptoProvider? {
    switch self {
    case .openSSL: crypto
    case .multiBuffer: MultiBufferCrypto.provider(over: crypto)
    }
  }
}
