import SecureChannel

/// What is made sure of before the library is used: it is another version on every machine.
extension MultiBufferCrypto {
  /// Whether a prepared key stays within the memory that is given to it.
  static func staysInPlace(_ library: MultiBufferLibrary) -> Bool {
    let room = 4 * keyByteCount
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 64)
    defer { memory.deallocate() }
    guard let base = memory.baseAddress else { return false }
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
    let key = [UInt8](1...16)
    library.prepare(key, base)
    return memory[keyByteCount...].allSatisfy { $0 == 0xA5 } && !memory[..<keyByteCount].allSatisfy { $0 == 0xA5 }
  }

  /// Whether each opens what the other seals, and neither opens what was changed, at lengths around those of blocks and
  /// packets.
  static func agree(_ one: CryptoProvider, _ other: CryptoProvider) -> Bool {
    [0, 1, 15, 16, 17, 80, 255, 256, 257, 800, 1_183, 1_400].allSatisfy { length in
      opens(one, what: other, sealed: length) && opens(other, what: one, sealed: length)
    }
  }

  private static func opens(_ opener: CryptoProvider, what sealer: CryptoProvider, sealed length: Int) -> Bool {
    let key = (0..<16).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
    guard let sealing = sealer.makeGCM(key, true) else { return false }
    defer { sealer.freeGCM(sealing) }
    guard let opening = opener.makeGCM(key, false) else { return false }
    defer { opener.freeGCM(opening) }
    let nonce = (0..<12).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ length) }
    let header = [UInt8](repeating: 0x90, count: 12 + length % 3 * 4)
    let plain = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    // An empty array may have no address.
    var secret = [UInt8](repeating: 0, count: length + 1)
    var read = [UInt8](repeating: 0, count: length + 1)
    var tag = [UInt8](repeating: 0, count: 16)
    guard sealer.sealGCM(sealing, nonce, header, header.count, plain + [0], length, &secret, &tag),
      opener.openGCM(opening, nonce, header, header.count, secret, length, &read, &tag), read.dropLast() == plain[...]
    else { return false }
    tag[15] ^= 1
    return !opener.openGCM(opening, nonce, header, header.count, secret, length, &read, &tag)
  }
}
