/// One key's cached contexts, by either profile. A packet costs a branch, no call through a table.
enum SRTPSession: ~Copyable {
  case gcm(GCMSession)
  case counterMode(CounterModeSession)

  init(
    profile: SRTPProtectionProfile, keys: SRTPSessionKeys.Part, seals: Bool, crypto: CryptoProvider
  ) throws(SRTPError) {
    self =
      switch profile {
      case .aeadAES128GCM: .gcm(try GCMSession(keys: keys, seals: seals, crypto: crypto))
      case .aes128CounterSHA1_80: .counterMode(try CounterModeSession(keys: keys, seals: seals, crypto: crypto))
      }
  }

  /// Seals or opens `length` bytes from `source` to the place behind the header in `packet`, where the tag's place
  /// follows. False if it cannot be sealed, or the tag does not match. `index` is the 48-bit packet index.
  func runRTP(
    ssrc: UInt32, index: UInt64, packet: UnsafeMutableRawPointer, headerLength: Int, source: UnsafeRawPointer,
    length: Int
  ) -> Bool {
    switch self {
    case .gcm(let session):
      session.runRTP(
        ssrc: ssrc, index: index, packet: packet, headerLength: headerLength, source: source, length: length)
    case .counterMode(let session):
      session.runRTP(
        ssrc: ssrc, index: index, packet: packet, headerLength: headerLength, source: source, length: length)
    }
  }

  /// Seals or opens the compound of `length` bytes in `packet` in place, behind which tag and word of E bit and index
  /// have their places; that word stands there already.
  func runRTCP(ssrc: UInt32, index: UInt32, packet: UnsafeMutableRawPointer, length: Int) -> Bool {
    switch self {
    case .gcm(let session): session.runRTCP(ssrc: ssrc, index: index, packet: packet, length: length)
    case .counterMode(let session): session.runRTCP(ssrc: ssrc, index: index, packet: packet, length: length)
    }
  }
}
