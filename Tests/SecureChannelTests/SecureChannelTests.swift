import OpenSSLCrypto
import Testing

@testable import SecureChannel

@Suite struct SecureChannelTests {
  @Test func streamTableIsBounded() throws {
    var sender = try SRTPSender(material: material(.aeadAES128GCM), crypto: crypto, maximumStreams: 1)
    _ = try edited(rtpPacket(sequenceNumber: 1, ssrc: 1)) { try sender.protectRTP($0, length: $1) }
    #expect(throws: SRTPError.tooManyStreams) {
      try edited(rtpPacket(sequenceNumber: 1, ssrc: 2)) { try sender.protectRTP($0, length: $1) }
    }
  }

  @Test func forgottenStreamsMakeRoomAndOthersKeepTheirState() throws {
    var sender = try SRTPSender(material: material(.aeadAES128GCM), crypto: crypto, maximumStreams: 3)
    for ssrc in UInt8(1)...3 {
      _ = try edited(rtpPacket(sequenceNumber: 1, ssrc: ssrc)) { try sender.protectRTP($0, length: $1) }
    }
    sender.forget(ssrc: 1)
    sender.forget(ssrc: 77)
    _ = try edited(rtpPacket(sequenceNumber: 1, ssrc: 4)) { try sender.protectRTP($0, length: $1) }
    for ssrc in UInt8(2)...4 {
      #expect(throws: SRTPError.sequenceNumberReused) {
        try edited(rtpPacket(sequenceNumber: 1, ssrc: ssrc)) { try sender.protectRTP($0, length: $1) }
      }
    }
  }

  @Test func replayWindowRemembers1024Indexes() {
    var window = ReplayWindow()
    window.record(5000)
    window.record(3977)
    #expect(!window.isFresh(3977))
    #expect(!window.isFresh(3976))
    #expect(window.isFresh(3978))
    window.record(5001)
    #expect(!window.isFresh(5000))
    window.record(9000)
    #expect(window.isFresh(8999))
    #expect(!window.isFresh(5001))
  }

  @Test func keyMaterialReadsOnlyWhatItWrites() throws {
    let material = try material(.aeadAES128GCM)
    #expect(SRTPKeyMaterial(bytes: (0..<28).map { UInt8($0) }) == material)
    #expect(SRTPKeyMaterial(hexadecimal: material.hexadecimal) == material)
    #expect(SRTPKeyMaterial(hexadecimal: material.hexadecimal + "00") == nil)
    #expect(SRTPKeyMaterial(hexadecimal: String(material.hexadecimal.dropLast())) == nil)
    #expect(SRTPKeyMaterial(hexadecimal: String(repeating: "g", count: 56)) == nil)
    #expect(!"\(material)".contains("0001"))
  }

  @Test func keyMaterialHasTheLengthOfItsProfile() {
    let bytes = [UInt8](repeating: 1, count: 40)
    for count in 0...40 {
      let prefix = Array(bytes.prefix(count))
      #expect((SRTPKeyMaterial(bytes: prefix) != nil) == (count == 28))
      #expect((SRTPKeyMaterial(profile: .aeadAES128GCM, bytes: prefix) != nil) == (count == 28))
      #expect((SRTPKeyMaterial(profile: .aes128CounterSHA1_80, bytes: prefix) != nil) == (count == 30))
    }
  }

  @Test func hmacSHA1MatchesRFC2202() {
    let long = "Test Using Larger Than Block-Size Key "
    for (key, message, digest) in [
      ([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
      (
        Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
      ),
      (
        [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
        "125d7342b9ac11cd91a39af48aa17b4f63f175d3"
      ),
      (
        [UInt8](repeating: 0xAA, count: 80), Array((long + "- Hash Key First").utf8),
        "aa4ae5e15272d00e95705637ce8a3b55ed402112"
      ),
      (
        [UInt8](repeating: 0xAA, count: 80), Array((long + "and Larger Than One Block-Size Data").utf8),
        "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"
      ),
    ] {
      #expect(crypto.hmacSHA1(key: key, message: message) == bytes(digest))
    }
  }

  @Test func contextsForHMACGiveWhatTheOneCallGives() throws {
    for keyLength in [0, 1, 20, 64] {
      let key = (0..<UInt8(keyLength)).map { $0 &* 3 }
      let context = try #require(crypto.makeHMAC(key + [0], keyLength))
      defer { crypto.freeHMAC(context) }
      for count in [0, 1, 55, 56, 63, 64, 65, 1_216] {
        let message = [UInt8](repeating: 7, count: count)
        var result = [UInt8](repeating: 0, count: 20)
        let done = crypto.runHMAC(context, message + [0], count, &result)
        #expect(done && result == crypto.hmacSHA1(key: key, message: message))
      }
    }
    #expect(crypto.makeHMAC([UInt8](repeating: 0, count: 65), 65) == nil)
  }

  @Test func randomBytesHaveTheCountAndDiffer() {
    #expect(OpenSSLCrypto.randomBytes(count: 28)?.count == 28)
    #expect(OpenSSLCrypto.randomBytes(count: 28) != OpenSSLCrypto.randomBytes(count: 28))
    #expect(OpenSSLCrypto.randomBytes(count: -1) == nil)
  }
}
