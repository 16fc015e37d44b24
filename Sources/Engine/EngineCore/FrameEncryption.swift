import MediaBase
import SFrame
import SecureChannel

/// The keys of one connection: its own, and those of the users whom it receives.
struct FrameEncryption: ~Copyable {
  /// Users whose keys are kept at most. They are kept when a user leaves: what came once must not be taken again because
  /// the server says that the user has come again.
  private static let maximumUsers = 256
  /// Reports that are remembered for their times.
  private static let maximumReports = 1_024

  private let channel: String
  private let timing: ConnectionTiming
  private let crypto: CryptoProvider
  private(set) var settings: FrameEncryptionSettings?
  /// What was set before, and until when it is good for receiving.
  private var previous: (secret: SFrameSecret, end: MediaInstant)?
  private var secrets: [SFrameSecret] = []
  private var encryptor: FrameEncryptor?
  private var decryptors: [UInt: FrameDecryptor] = [:]
  private var reports: [Report: MediaInstant] = [:]
  private var random: SeededRandom

  private struct Report: Hashable {
    var uid: UInt
    var type: EncryptionErrorType
  }

  /// - Parameter seed: no other connection's, of this process or an earlier one; the generations of keys follow from it.
  init(
    channel: String, settings: FrameEncryptionSettings?, seed: UInt64, timing: ConnectionTiming, crypto: CryptoProvider
  ) {
    random = SeededRandom(seed: seed)
    self.channel = channel
    self.settings = settings
    self.timing = timing
    self.crypto = crypto
    secrets = settings.map { [$0.secret] } ?? []
  }

  var isOn: Bool { settings != nil }
  var includesDataStreams: Bool { settings?.includesDataStreams ?? false }

  /// Changes the key, or turns encryption on or off.
  mutating func set(_ new: FrameEncryptionSettings?, now: MediaInstant) {
    let old = settings?.secret
    settings = new
    guard old != new?.secret else { return }
    encryptor = nil
    previous = new == nil ? nil : old.map { ($0, now + timing.keyOverlap) }
    refreshSecrets()
    reports.removeAll()
    if new == nil { decryptors.removeAll() }
  }

  /// Moves the own key on by a step.
  mutating func ratchet() -> Bool {
    do throws(SFrameError) {
      try encryptor?.ratchet()
      return true
    } catch {
      return false
    }
  }

  mutating func encrypt(
    _ frame: [UInt8], kind: SFrameMediaKind, context: [UInt8] = [], uid: UInt
  ) -> [UInt8]? {
    guard let settings else { return nil }
    do throws(SFrameError) {
      // The server numbers users who leave it to the server; one who is given another number has another key.
      if encryptor?.uid != uid {
        encryptor = try FrameEncryptor(
          secret: settings.secret, channel: channel, uid: uid, seed: random.next(), crypto: crypto)
      }
      return try encryptor?.encrypt(frame, kind: kind, context: context)
    } catch {
      return nil
    }
  }

  mutating func decrypt(
    _ bytes: [UInt8], kind: SFrameMediaKind, context: [UInt8] = [], of uid: UInt, now: MediaInstant
  ) throws(SFrameError) -> [UInt8] {
    if let end = previous?.end, now >= end {
      previous = nil
      refreshSecrets()
    }
    if decryptors[uid] == nil {
      if decryptors.count >= Self.maximumUsers, let other = decryptors.keys.first { decryptors[other] = nil }
      decryptors[uid] = FrameDecryptor(channel: channel, uid: uid, crypto: crypto)
    }
    guard let frame = try decryptors[uid]?.decrypt(bytes, kind: kind, context: context, secrets: secrets, now: now)
    else { throw .cryptoFailed }
    return frame
  }

  /// Whether a failure is to be reported: not too often.
  mutating func shouldReport(_ type: EncryptionErrorType, of uid: UInt, now: MediaInstant) -> Bool {
    let report = Report(uid: uid, type: type)
    if let last = reports[report], now - last < timing.encryptionErrorInterval { return false }
    if reports.count >= Self.maximumReports { reports.removeAll() }
    reports[report] = now
    return true
  }

  private mutating func refreshSecrets() {
    secrets = (settings.map { [$0.secret] } ?? []) + (previous.map { [$0.secret] } ?? [])
    for uid in decryptors.keys { decryptors[uid]?.keepOnly(secrets) }
  }
}
