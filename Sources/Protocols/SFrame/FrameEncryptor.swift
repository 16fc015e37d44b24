import MediaBase
public import SecureChannel

/// Encrypts what one user sends on one connection (RFC 9605), all tracks with one key and one counter.
///
/// It cannot be copied: two with the same counter would give the key away. Its first key is one that no other encryptor
/// has or had, of this user or another, see `SFrameKeyID`; a connection that is interrupted keeps it and counts on.
public struct FrameEncryptor: ~Copyable {
  /// Frames under one key: far below what AES-GCM allows, and short counters.
  static let framesPerKey: UInt64 = 1 << 24
  /// What encryption adds to a frame at most.
  public static let maximumOverhead = 1 + SFrameHeader.maximumByteCount + 16

  private let secret: SFrameSecret
  private let channel: String
  /// The user whose frames they are.
  public let uid: UInt
  private let crypto: CryptoProvider
  private let framesPerKey: UInt64
  private var random: SeededRandom
  private var keyID: SFrameKeyID
  private var baseKey: [UInt8]
  private var key: SFrameKey
  private var counter: UInt64 = 0
  /// What goes before the ciphertext of the present frame, and what is authenticated with it.
  private var head: [UInt8] = []
  private var associated: [UInt8] = []

  /// - Parameter seed: from the system's generator, drawn for this encryptor alone.
  public init(
    secret: SFrameSecret, channel: String, uid: UInt, seed: UInt64, crypto: CryptoProvider
  ) throws(SFrameError) {
    try self.init(
      secret: secret, channel: channel, uid: uid, seed: seed, framesPerKey: Self.framesPerKey, crypto: crypto)
  }

  init(
    secret: SFrameSecret, channel: String, uid: UInt, seed: UInt64, framesPerKey: UInt64, crypto: CryptoProvider
  ) throws(SFrameError) {
    var random = SeededRandom(seed: seed)
    let keyID = SFrameKeyID(random: random.next())
    let baseKey = try secret.baseKey(channel: channel, uid: uid, generation: keyID.generation)
    let key = try SFrameKey(baseKey: baseKey, keyID: keyID.value, suite: secret.suite, seals: true, crypto: crypto)
    self.secret = secret
    self.channel = channel
    self.uid = uid
    self.crypto = crypto
    self.framesPerKey = framesPerKey
    self.random = random
    self.keyID = keyID
    self.baseKey = baseKey
    self.key = key
  }

  /// Goes on with the next key: it follows from the present one, not the other way round. Receivers follow by themselves.
  public mutating func ratchet() throws(SFrameError) {
    var next = keyID
    let nextBase: [UInt8]
    if keyID.step < SFrameKeyID.lastStep {
      next.step += 1
      nextBase = try SFrameKey.ratchet(baseKey, suite: secret.suite, crypto: crypto)
    } else {
      next = SFrameKeyID(random: random.next())
      nextBase = try secret.baseKey(channel: channel, uid: uid, generation: next.generation)
    }
    key = try SFrameKey(baseKey: nextBase, keyID: next.value, suite: secret.suite, seals: true, crypto: crypto)
    (keyID, baseKey, counter) = (next, nextBase, 0)
  }

  /// The encrypted form of a frame. `context` is authenticated, not sent: the receiver has to know it.
  public mutating func encrypt(
    _ frame: [UInt8], kind: SFrameMediaKind, context: [UInt8] = []
  ) throws(SFrameError) -> [UInt8] {
    guard let clear = EncryptedFrameLayout.clearByteCount(kind, frame) else { throw .malformed }
    if counter >= framesPerKey { try ratchet() }
    let header = SFrameHeader(keyID: keyID.value, counter: counter)
    // Whatever becomes of this frame, its number is used up.
    counter += 1
    head.removeAll(keepingCapacity: true)
    EncryptedFrameLayout.appendPrefix(kind, of: frame, clearByteCount: clear, to: &head)
    let prefixByteCount = head.count
    header.append(to: &head)
    associated.removeAll(keepingCapacity: true)
    associated.append(contentsOf: head[prefixByteCount...])
    associated.append(kind.rawValue)
    associated.append(contentsOf: head[..<prefixByteCount])
    associated.append(contentsOf: context)
    guard let bytes = key.seal(frame[clear...], counter: header.counter, associated: associated, behind: head) else {
      throw .cryptoFailed
    }
    return bytes
  }
}

extension SFrameKey {
  /// `head`, the encrypted form of `text`, and the tag.
  func seal(_ text: ArraySlice<UInt8>, counter: UInt64, associated: [UInt8], behind head: [UInt8]) -> [UInt8]? {
    let total = head.count + text.count + suite.tagByteCount
    let sealed = [UInt8](unsafeUninitializedCapacity: total) { output, count in
      guard let destination = output.baseAddress else { return }
      _ = output.initialize(fromContentsOf: head)
      let isSealed = text.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress else { return false }
        return seal(
          counter: counter, associated: associated, source: start, length: source.count,
          destination: destination + head.count)
      }
      count = isSealed ? total : 0
    }
    return sealed.isEmpty ? nil : sealed
  }

  /// `head` and the decrypted form of `text`, which ends with the tag; `nil` if the tag does not match.
  func open(_ text: ArraySlice<UInt8>, counter: UInt64, associated: [UInt8], behind head: [UInt8]) -> [UInt8]? {
    let length = text.count - suite.tagByteCount
    guard length >= 0 else { return nil }
    var isOpened = false
    let opened = [UInt8](unsafeUninitializedCapacity: head.count + length) { output, count in
      _ = output.initialize(fromContentsOf: head)
      isOpened = text.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress, let destination = output.baseAddress else { return false }
        return open(
          counter: counter, associated: associated, source: start, length: length, destination: destination + head.count
        )
      }
      count = isOpened ? head.count + length : 0
    }
    return isOpened ? opened : nil
  }
}
