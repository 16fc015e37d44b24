import MediaBase
import OpenSSLCrypto

@testable import SFrame

let crypto = OpenSSLCrypto.provider

func secret(_ key: String, suite: SFrameCipherSuite = .aes128GCMSHA256) throws -> SFrameSecret {
  guard let secret = SFrameSecret(key: Array(key.utf8), salt: [], suite: suite, crypto: crypto) else {
    throw SFrameError.cryptoFailed
  }
  return secret
}

func encryptor(
  _ secret: SFrameSecret, channel: String = "show", uid: UInt = 7, seed: UInt64 = 1,
  framesPerKey: UInt64 = FrameEncryptor.framesPerKey
) throws -> FrameEncryptor {
  try FrameEncryptor(
    secret: secret, channel: channel, uid: uid, seed: seed, framesPerKey: framesPerKey, crypto: crypto)
}

func decryptor(channel: String = "show", uid: UInt = 7) -> FrameDecryptor {
  FrameDecryptor(channel: channel, uid: uid, crypto: crypto)
}

/// A VP8 key frame as far as its header goes, or another picture; or a packet of Opus.
func frame(_ kind: SFrameMediaKind, isKeyFrame: Bool = true, count: Int = 60) -> [UInt8] {
  let start: [UInt8] =
    switch kind {
    case .video: isKeyFrame ? [0x50, 0x42, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01] : [0x51, 0x42, 0]
    case .audio: [0x78]
    case .data: []
    }
  return start + (start.count..<max(start.count, count)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
}

extension MediaInstant {
  static let start = MediaInstant(nanoseconds: 1_000_000_000)
}
