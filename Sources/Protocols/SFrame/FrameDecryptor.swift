public import MediaBase
public import SecureChannel

/// Decrypts what one remote user sends in one channel (RFC 9605), whatever keys the user changes to: by the ratchet at
/// most 15 steps further, or to a new generation of keys.
///
/// A key is remembered when a frame has proved it. Frames that come again are refused, and so are those of keys that the
/// sender has given up. Nothing that a server sends makes memory grow without bound.
public struct FrameDecryptor {
  /// Generations of keys whose frames are taken; a sender that comes anew has another one.
  static let maximumGenerations = 4
  /// Generations remembered to be refused.
  static let maximumRetired = 64
  /// Unknown keys that are tried at once at most, and in a second.
  static let trialBurst = 32.0
  static let trialsPerSecond = 16.0

  let channel: String
  let uid: UInt
  let crypto: CryptoProvider
  /// The last one used comes last.
  var generations: [KeyGeneration] = []
  var retired: [UInt64] = []
  private var trials = trialBurst
  private var trialTime: MediaInstant?
  private var associated: [UInt8] = []

  /// Nothing is known of the user's keys yet.
  public init(channel: String, uid: UInt, crypto: CryptoProvider) {
    self.channel = channel
    self.uid = uid
    self.crypto = crypto
  }

  /// The frame of its encrypted form.
  ///
  /// - Parameters:
  ///   - context: what the sender has authenticated with it.
  ///   - secrets: those that the user's keys may follow from, the likeliest first.
  public mutating func decrypt(
    _ bytes: [UInt8], kind: SFrameMediaKind, context: [UInt8] = [], secrets: [SFrameSecret], now: MediaInstant
  ) throws(SFrameError) -> [UInt8] {
    let prefixEnd = try EncryptedFrameLayout.prefixByteCount(kind, of: bytes)
    let (header, headerByteCount) = try SFrameHeader.parse(bytes.span.bytes.extracting(prefixEnd..<bytes.count))
    let textStart = prefixEnd + headerByteCount
    associated.removeAll(keepingCapacity: true)
    associated.append(contentsOf: bytes[prefixEnd..<textStart])
    associated.append(kind.rawValue)
    associated.append(contentsOf: bytes[..<prefixEnd])
    associated.append(contentsOf: context)
    let head = EncryptedFrameLayout.clearBytes(kind, of: bytes[..<prefixEnd])
    let frame = SealedFrame(
      keyID: SFrameKeyID(header.keyID), counter: header.counter, kind: kind, head: head, text: bytes[textStart...],
      associated: associated)
    if let place = find(frame.keyID) { return try openKnown(frame, at: place) }
    guard !retired.contains(frame.keyID.generation) else { throw .replayed }
    return try openUnknown(frame, secrets: secrets, now: now)
  }

  /// Takes away the keys that followed from other secrets: the application has given those up. Unknown keys may be tried
  /// again at once.
  public mutating func keepOnly(_ secrets: [SFrameSecret]) {
    generations.removeAll { !secrets.contains($0.secret) }
    trials = Self.trialBurst
  }

  mutating func retire(_ generation: UInt64) {
    if retired.count >= Self.maximumRetired { retired.removeFirst() }
    retired.append(generation)
  }

  /// Takes one trial of an unknown key; false if none is left at the moment.
  mutating func takeTrial(now: MediaInstant) -> Bool {
    let passed = trialTime.map { max(0, (now - $0).seconds) } ?? 0
    trialTime = now
    trials = min(Self.trialBurst, trials + passed * Self.trialsPerSecond)
    guard trials >= 1 else { return false }
    trials -= 1
    return true
  }
}

/// An encrypted frame in its parts.
struct SealedFrame {
  var keyID: SFrameKeyID
  var counter: UInt64
  var kind: SFrameMediaKind
  /// What the decrypted frame begins with.
  var head: [UInt8]
  /// Ciphertext and tag.
  var text: ArraySlice<UInt8>
  var associated: [UInt8]
}

/// A generation of a sender's keys, as far as the ratchet has moved.
struct KeyGeneration {
  let number: UInt64
  let secret: SFrameSecret
  /// Of the newest key.
  var baseKey: [UInt8]
  /// The newest comes last; the one before is kept for frames that have been overtaken.
  var keys: [ReceivingKey]
}

/// A key that has proved good, and what has been received with it.
struct ReceivingKey {
  let step: UInt8
  let key: SFrameKey
  private var video = ReplayWindow()
  private var audio = ReplayWindow()
  private var data = ReplayWindow()

  init(step: UInt8, key: SFrameKey) {
    self.step = step
    self.key = key
  }

  mutating func open(_ frame: SealedFrame) throws(SFrameError) -> [UInt8] {
    guard window(frame.kind).isFresh(frame.counter) else { throw .replayed }
    guard
      let opened = key.open(
        frame.text, counter: frame.counter, associated: frame.associated, behind: frame.head)
    else { throw .authenticationFailed }
    switch frame.kind {
    case .video: video.record(frame.counter)
    case .audio: audio.record(frame.counter)
    case .data: data.record(frame.counter)
    }
    return opened
  }

  private func window(_ kind: SFrameMediaKind) -> ReplayWindow {
    switch kind {
    case .video: video
    case .audio: audio
    case .data: data
    }
  }
}
