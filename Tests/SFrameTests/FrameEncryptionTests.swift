import MediaBase
import RTPWire
import Testing

@testable import SFrame

@Suite struct FrameEncryptionTests {
  @Test(arguments: SFrameCipherSuite.allCases, SFrameMediaKind.allCases)
  func `a frame comes back as it was, with every suite and of every kind`(
    suite: SFrameCipherSuite, kind: SFrameMediaKind
  ) throws {
    let secret = try secret("key", suite: suite)
    var sender = try encryptor(secret)
    var receiver = decryptor()
    for count in [1, 3, 10, 11, 1_000] {
      for isKeyFrame in [true, false] {
        let plain = frame(kind, isKeyFrame: isKeyFrame, count: count)
        let sealed = try sender.encrypt(plain, kind: kind, context: [1, 2])
        #expect(sealed.count <= plain.count + FrameEncryptor.maximumOverhead)
        #expect(
          try receiver.decrypt(sealed, kind: kind, context: [1, 2], secrets: [secret], now: .start) == plain)
      }
    }
  }

  @Test(arguments: SFrameMediaKind.allCases, [true, false])
  func `every flipped bit is refused, and every shorter or longer frame`(kind: SFrameMediaKind, isKeyFrame: Bool) throws
  {
    let secret = try secret("key")
    var sender = try encryptor(secret)
    var receiver = decryptor()
    // The key is known, so that nothing is refused for want of trials.
    let first = try sender.encrypt(frame(kind), kind: kind)
    _ = try receiver.decrypt(first, kind: kind, secrets: [secret], now: .start)
    let sealed = try sender.encrypt(frame(kind, isKeyFrame: isKeyFrame), kind: kind)
    func isRefused(_ bytes: [UInt8], after seconds: Int) -> Bool {
      var receiver = receiver
      let now = MediaInstant.start + .seconds(Int64(seconds))
      return (try? receiver.decrypt(bytes, kind: kind, secrets: [secret], now: now)) == nil
    }
    for position in sealed.indices {
      for bit in 0..<8 {
        var damaged = sealed
        damaged[position] ^= 1 << UInt8(bit)
        #expect(isRefused(damaged, after: position), "byte \(position) bit \(bit)")
      }
      #expect(isRefused(Array(sealed[..<position]), after: position), "cut at \(position)")
    }
    #expect(isRefused(sealed + [0], after: 1))
    #expect(
      try receiver.decrypt(sealed, kind: kind, secrets: [secret], now: .start) == frame(kind, isKeyFrame: isKeyFrame))
  }

  @Test func `what a server reads of a picture stays, and is a picture to no decoder`() throws {
    var sender = try encryptor(try secret("key"))
    let key = try sender.encrypt(frame(.video), kind: .video)
    let header = try VP8FrameHeader(parsing: key.span.bytes)
    #expect(header.isKeyFrame && header.isEncrypted)
    #expect((header.width, header.height) == (640, 360))
    #expect(SFrameMediaKind.video.looksEncrypted(key))
    #expect(!SFrameMediaKind.video.looksEncrypted(frame(.video)))
    let other = try sender.encrypt(frame(.video, isKeyFrame: false), kind: .video)
    #expect(other[0] == 0x51)
    // Behind what stays, nothing of the picture is to be found.
    #expect(Array(key[10..<20]) != Array(frame(.video)[10..<20]))
  }

  @Test func `encrypted sound is no packet of Opus, whatever its number`() throws {
    var sender = try encryptor(try secret("key"))
    for _ in 0..<300 {
      let sealed = try sender.encrypt(frame(.audio), kind: .audio)
      #expect(SFrameMediaKind.audio.looksEncrypted(sealed))
      #expect(throws: RTPParseError.invalidField) { try OpusTOC.sampleCount(of: sealed.span.bytes) }
    }
    #expect(!SFrameMediaKind.audio.looksEncrypted(frame(.audio)))
  }

  @Test func `frames that are not encrypted are told from those that cannot be decrypted`() throws {
    let secret = try secret("key")
    var receiver = decryptor()
    for kind in [SFrameMediaKind.video, .audio] {
      #expect(throws: SFrameError.notEncrypted) {
        try receiver.decrypt(frame(kind), kind: kind, secrets: [secret], now: .start)
      }
    }
    for kind in SFrameMediaKind.allCases {
      #expect(throws: SFrameError.malformed) { try receiver.decrypt([], kind: kind, secrets: [secret], now: .start) }
    }
  }

  @Test func `secret, channel, user, kind and context all have to be the same`() throws {
    let secret = try secret("key")
    let other = try SFrameTests.secret("other key")
    var sender = try encryptor(secret)
    func result(
      _ receiver: FrameDecryptor, _ kind: SFrameMediaKind = .data, context: [UInt8] = [1], secrets: [SFrameSecret]
    ) throws -> Bool {
      var receiver = receiver
      let sealed = try sender.encrypt([1, 2, 3], kind: .data, context: [1])
      return (try? receiver.decrypt(sealed, kind: kind, context: context, secrets: secrets, now: .start)) == [1, 2, 3]
    }
    #expect(try result(decryptor(), secrets: [secret]))
    #expect(try result(decryptor(), secrets: [other, secret]))
    #expect(try !result(decryptor(), secrets: [other]))
    #expect(try !result(decryptor(), secrets: []))
    #expect(try !result(decryptor(channel: "shov"), secrets: [secret]))
    #expect(try !result(decryptor(uid: 8), secrets: [secret]))
    #expect(try !result(decryptor(), .video, secrets: [secret]))
    #expect(try !result(decryptor(), context: [], secrets: [secret]))
    var sound = try encryptor(secret)
    let sealed = try sound.encrypt(frame(.audio), kind: .audio)
    var receiver = decryptor()
    #expect(throws: SFrameError.authenticationFailed) {
      try receiver.decrypt(Array(sealed[1...]), kind: .data, secrets: [secret], now: .start)
    }
  }

  @Test func `a salt makes another secret, and so does another suite`() throws {
    func make(_ salt: [UInt8], _ suite: SFrameCipherSuite) -> SFrameSecret? {
      SFrameSecret(key: [1, 2, 3], salt: salt, suite: suite, crypto: crypto)
    }
    #expect(make([], .aes128GCMSHA256) == make([], .aes128GCMSHA256))
    #expect(make([1], .aes128GCMSHA256) != make([], .aes128GCMSHA256))
    #expect(make([], .aes256GCMSHA512) != make([], .aes128GCMSHA256))
  }

  @Test func `a frame that is no picture cannot be sent as one`() throws {
    var sender = try encryptor(try secret("key"))
    #expect(throws: SFrameError.malformed) { try sender.encrypt([], kind: .video) }
    #expect(throws: SFrameError.malformed) { try sender.encrypt([0x50, 1, 2], kind: .video) }
  }

  @Test func `nothing that comes ends the process or makes memory grow`() throws {
    let secret = try secret("key")
    var sender = try encryptor(secret)
    var receiver = decryptor()
    var random = SeededRandom(seed: 9)
    var now = MediaInstant.start
    for round in 0..<20_000 {
      let kind = SFrameMediaKind.allCases[round % 3]
      var bytes =
        round % 2 == 0
        ? (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        : try sender.encrypt(frame(kind), kind: kind)
      for _ in 0..<(random.next() % 4) where !bytes.isEmpty {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      now = now + .milliseconds(1)
      _ = try? receiver.decrypt(bytes, kind: kind, secrets: [secret], now: now)
    }
    #expect(receiver.generations.count == 1)
    #expect(receiver.retired.isEmpty)
    let sealed = try sender.encrypt(frame(.audio), kind: .audio)
    #expect(try receiver.decrypt(sealed, kind: .audio, secrets: [secret], now: now) == frame(.audio))
  }
}
