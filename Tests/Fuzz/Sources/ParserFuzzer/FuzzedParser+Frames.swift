import MediaBase
import OpenSSLCrypto
import SFrame

extension FuzzedParser {
  /// Frames encrypted between the ends: any bytes, and what they are as a frame to be encrypted.
  static func readEncryptedFrame(_ input: [UInt8]) {
    if let (header, count) = try? SFrameHeader.parse(input.span.bytes) {
      var written: [UInt8] = []
      header.append(to: &written)
      guard written.count <= count, let again = try? SFrameHeader.parse(written.span.bytes), again.header == header
      else {
        fatalError("a header changes when it is written again")
      }
    }
    let crypto = OpenSSLCrypto.provider
    for suite in [SFrameCipherSuite.aes128GCMSHA256, .aes128CTRHMACSHA256Tag32] {
      guard let secret = SFrameSecret(key: [1], salt: [], suite: suite, crypto: crypto),
        var sender = try? FrameEncryptor(secret: secret, channel: "c", uid: 1, seed: 1, crypto: crypto)
      else { fatalError("no key can be made") }
      var receiver = FrameDecryptor(channel: "c", uid: 1, crypto: crypto)
      for kind in SFrameMediaKind.allCases {
        _ = kind.looksEncrypted(input)
        _ = try? receiver.decrypt(input, kind: kind, secrets: [secret], now: .zero)
        guard let sealed = try? sender.encrypt(input, kind: kind) else { continue }
        guard let opened = try? receiver.decrypt(sealed, kind: kind, secrets: [secret], now: .zero) else {
          fatalError("a frame cannot be decrypted")
        }
        guard opened == input || kind == .video else { fatalError("a frame changes") }
      }
    }
  }
}
