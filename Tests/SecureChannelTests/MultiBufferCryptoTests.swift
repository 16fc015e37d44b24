import MediaBase
import Testing

@testable import MultiBufferCrypto
@testable import SecureChannel

@Suite struct MultiBufferCryptoTests {
  /// The library that is found may be another one than it says: it counts only if it gives what libcrypto gives.
  @Test func aLibraryThatGivesSomethingElseIsNotUsed() {
    let wrong = CryptoProvider(
      makeGCM: crypto.makeGCM, freeGCM: crypto.freeGCM,
      sealGCM: { context, nonce, associated, associatedLength, source, length, destination, tag in
        let isDone = crypto.sealGCM(context, nonce, associated, associatedLength, source, length, destination, tag)
        if length == 1_183 { destination[1_182] ^= 1 }
        return isDone
      },
      openGCM: { context, nonce, associated, associatedLength, source, length, destination, tag in
        _ = crypto.openGCM(context, nonce, associated, associatedLength, source, length, destination, tag)
        return true
      },
      makeCounterMode: crypto.makeCounterMode, freeCounterMode: crypto.freeCounterMode,
      runCounterMode: crypto.runCounterMode, makeHMAC: crypto.makeHMAC, freeHMAC: crypto.freeHMAC,
      runHMAC: crypto.runHMAC, encryptBlock: crypto.encryptBlock, authenticateSHA1: crypto.authenticateSHA1,
      frames: crypto.frames)
    #expect(MultiBufferCrypto.agree(crypto, crypto))
    #expect(!MultiBufferCrypto.agree(crypto, wrong))
    #expect(!MultiBufferCrypto.agree(wrong, crypto))
  }

  /// Packets of any length, headers of any length, changed in any byte: both libraries say the same.
  @Test func itGivesWhatLibcryptoGives() throws {
    guard let fast = MultiBufferCrypto.provider(over: crypto) else { return }
    let material = try material(.aeadAES128GCM)
    var one = try SRTPSender(material: material, crypto: fast)
    var other = try SRTPSender(material: material, crypto: crypto)
    var receiver = try SRTPReceiver(material: material, crypto: fast)
    var numbers = SeededRandom(seed: 5)
    for number in UInt16(0)..<1_500 {
      var packet: [UInt8] = [0x90, 96, UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 1, 0, 0, 0, 9, 0xBE, 0xDE, 0]
      let words = UInt8.random(in: 0...4, using: &numbers)
      packet.append(words)
      packet += (0..<Int(words) * 4 + Int(number)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let sealed = try edited(packet) { try one.protectRTP($0, length: $1) }
      #expect(try edited(packet) { try other.protectRTP($0, length: $1) } == sealed)
      var forged = sealed
      forged[Int.random(in: 12..<forged.count, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
      #expect(throws: SRTPError.self) { try edited(forged) { try receiver.unprotectRTP($0, length: $1) } }
      #expect(try edited(sealed) { try receiver.unprotectRTP($0, length: $1) } == packet)
    }
  }
}
