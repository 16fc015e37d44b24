import MediaBase
import Testing

@testable import SFrame

@Suite struct FrameKeyTests {
  private func header(of sealed: [UInt8]) throws -> SFrameHeader {
    try SFrameHeader.parse(sealed.span.bytes).header
  }

  @Test func `no number is used twice under one key, over ratchets and generations`() throws {
    var sender = try encryptor(try secret("key"), framesPerKey: 100)
    var seen: Set<SFrameHeader> = []
    var keys: Set<UInt64> = []
    for _ in 0..<5_000 {
      let header = try header(of: try sender.encrypt([1], kind: .data))
      #expect(seen.insert(header).inserted)
      #expect(header.counter < 100)
      keys.insert(header.keyID)
    }
    #expect(keys.count == 50)
    #expect(Set(keys.map { SFrameKeyID($0).generation }).count == 4)
  }

  @Test func `a sender that begins again has another key`() throws {
    let secret = try secret("key")
    var generations: Set<UInt64> = []
    for seed in 0..<2_000 as Range<UInt64> {
      var sender = try encryptor(secret, seed: seed)
      generations.insert(SFrameKeyID(try header(of: try sender.encrypt([1], kind: .data)).keyID).generation)
    }
    #expect(generations.count == 2_000)
  }

  @Test func `two users, channels or secrets with the same key number and counter have different keys`() throws {
    let secret = try secret("key")
    var outputs: Set<[UInt8]> = []
    for (secret, channel, uid) in [
      (secret, "show", 7), (secret, "show", 8), (secret, "shop", 7), (try SFrameTests.secret("kez"), "show", 7),
    ] as [(SFrameSecret, String, UInt)] {
      var sender = try encryptor(secret, channel: channel, uid: uid, seed: 1)
      outputs.insert(try sender.encrypt([UInt8](repeating: 0, count: 32), kind: .data))
    }
    #expect(outputs.count == 4)
    #expect(Set(outputs.map { Array($0[..<9]) }).count == 1)
  }

  @Test func `a receiver follows the ratchet, over skipped steps and into the next generation`() throws {
    let secret = try secret("key")
    var sender = try encryptor(secret)
    var receiver = decryptor()
    for step in 0..<60 {
      let sealed = try sender.encrypt([UInt8(step)], kind: .data)
      if step % 3 == 0 {
        #expect(
          try receiver.decrypt(sealed, kind: .data, secrets: [secret], now: .start + .seconds(Int64(step)))
            == [UInt8(step)])
      }
      try sender.ratchet()
    }
    #expect(receiver.generations.count == 4)
  }

  @Test func `a frame that the ratchet has overtaken is taken, one of a key that was given up is not`() throws {
    let secret = try secret("key")
    var sender = try encryptor(secret)
    var receiver = decryptor()
    func take(_ sealed: [UInt8]) -> SFrameError? {
      do throws(SFrameError) {
        _ = try receiver.decrypt(sealed, kind: .data, secrets: [secret], now: .start)
        return nil
      } catch { return error }
    }
    #expect(take(try sender.encrypt([0], kind: .data)) == nil)
    let late = try sender.encrypt([1], kind: .data)
    let tooLate = try sender.encrypt([2], kind: .data)
    try sender.ratchet()
    #expect(take(try sender.encrypt([3], kind: .data)) == nil)
    #expect(take(late) == nil)
    try sender.ratchet()
    #expect(take(try sender.encrypt([4], kind: .data)) == nil)
    #expect(take(tooLate) == .replayed)
  }

  @Test func `frames are taken once, in any order within a thousand, and of each kind by itself`() throws {
    let secret = try secret("key")
    var sender = try encryptor(secret)
    var receiver = decryptor()
    var frames: [(kind: SFrameMediaKind, bytes: [UInt8])] = []
    for number in 0..<1_000 {
      let kind = SFrameMediaKind.allCases[number % 3]
      frames.append((kind, try sender.encrypt(frame(kind), kind: kind)))
    }
    var random = SeededRandom(seed: 4)
    for (kind, bytes) in frames.shuffled(using: &random) {
      #expect(try receiver.decrypt(bytes, kind: kind, secrets: [secret], now: .start) == frame(kind))
    }
    for (kind, bytes) in frames {
      #expect(throws: SFrameError.replayed) {
        try receiver.decrypt(bytes, kind: kind, secrets: [secret], now: .start)
      }
    }
    let old = try sender.encrypt([1], kind: .data)
    for _ in 0..<1_100 {
      _ = try receiver.decrypt(try sender.encrypt([2], kind: .data), kind: .data, secrets: [secret], now: .start)
    }
    #expect(throws: SFrameError.replayed) { try receiver.decrypt(old, kind: .data, secrets: [secret], now: .start) }
  }

  @Test func `a sender may come anew often, and its former lives are refused`() throws {
    let secret = try secret("key")
    var receiver = decryptor()
    var firstFrames: [[UInt8]] = []
    for life in 0..<10 as Range<UInt64> {
      var sender = try encryptor(secret, seed: life)
      _ = try receiver.decrypt(
        try sender.encrypt([1], kind: .data), kind: .data, secrets: [secret], now: .start)
      firstFrames.append(try sender.encrypt([2], kind: .data))
    }
    #expect(receiver.generations.count == FrameDecryptor.maximumGenerations)
    for old in firstFrames[..<6] {
      #expect(throws: SFrameError.replayed) { try receiver.decrypt(old, kind: .data, secrets: [secret], now: .start) }
    }
    #expect(try receiver.decrypt(firstFrames[9], kind: .data, secrets: [secret], now: .start) == [2])
  }

  @Test func `forged keys cost few trials, and a secret that comes later is tried at once`() throws {
    let (secret, late) = (try secret("key"), try secret("late key"))
    var receiver = decryptor()
    var errors: [SFrameError: Int] = [:]
    for seed in 0..<100 as Range<UInt64> {
      var forger = try encryptor(try SFrameTests.secret("forged"), seed: seed)
      let sealed = try forger.encrypt([1], kind: .data)
      do throws(SFrameError) {
        _ = try receiver.decrypt(sealed, kind: .data, secrets: [secret], now: .start)
      } catch {
        errors[error, default: 0] += 1
      }
    }
    #expect(errors == [.authenticationFailed: 32, .tooManyUnknownKeys: 68])
    #expect(receiver.generations.isEmpty)
    var sender = try encryptor(late)
    receiver.keepOnly([late, secret])
    let sealed = try sender.encrypt([1], kind: .data)
    #expect(try receiver.decrypt(sealed, kind: .data, secrets: [late, secret], now: .start) == [1])
  }

  @Test func `keys of a secret that was given up are forgotten`() throws {
    let (old, new) = (try secret("old"), try secret("new"))
    var sender = try encryptor(old)
    var receiver = decryptor()
    _ = try receiver.decrypt(try sender.encrypt([1], kind: .data), kind: .data, secrets: [old], now: .start)
    receiver.keepOnly([new, old])
    _ = try receiver.decrypt(try sender.encrypt([2], kind: .data), kind: .data, secrets: [new, old], now: .start)
    receiver.keepOnly([new])
    let sealed = try sender.encrypt([3], kind: .data)
    #expect(throws: SFrameError.authenticationFailed) {
      try receiver.decrypt(sealed, kind: .data, secrets: [new], now: .start)
    }
  }
}
