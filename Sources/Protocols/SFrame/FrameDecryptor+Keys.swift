import MediaBase
import SecureChannel

extension FrameDecryptor {
  struct Place {
    var generation: Int
    var key: Int
  }

  /// Where a key is kept.
  func find(_ id: SFrameKeyID) -> Place? {
    guard let position = generations.lastIndex(where: { $0.number == id.generation }),
      let key = generations[position].keys.firstIndex(where: { $0.step == id.step })
    else { return nil }
    return Place(generation: position, key: key)
  }

  mutating func openKnown(_ frame: SealedFrame, at place: Place) throws(SFrameError) -> [UInt8] {
    let opened = try generations[place.generation].keys[place.key].open(frame)
    use(place.generation)
    return opened
  }

  /// A frame of a key that has not been seen: a later one of a known generation, or the first one of another.
  mutating func openUnknown(
    _ frame: SealedFrame, secrets: [SFrameSecret], now: MediaInstant
  ) throws(SFrameError) -> [UInt8] {
    if let position = generations.firstIndex(where: { $0.number == frame.keyID.generation }) {
      return try openLater(frame, of: position, now: now)
    }
    for secret in secrets {
      guard takeTrial(now: now) else { throw .tooManyUnknownKeys }
      let baseKey = try secret.baseKey(channel: channel, uid: uid, generation: frame.keyID.generation)
      do throws(SFrameError) {
        let (opened, newest, newestBase) = try tryKey(frame, from: 0, baseKey: baseKey, suite: secret.suite)
        keep(
          KeyGeneration(number: frame.keyID.generation, secret: secret, baseKey: newestBase, keys: [newest]))
        return opened
      } catch .authenticationFailed {
        continue
      }
    }
    throw .authenticationFailed
  }

  /// The ratchet has moved on. What lies before the oldest key that is kept has been given up by the sender.
  private mutating func openLater(
    _ frame: SealedFrame, of position: Int, now: MediaInstant
  ) throws(SFrameError) -> [UInt8] {
    let generation = generations[position]
    guard let newestStep = generation.keys.last?.step, frame.keyID.step > newestStep else { throw .replayed }
    guard takeTrial(now: now) else { throw .tooManyUnknownKeys }
    let (opened, newest, newestBase) = try tryKey(
      frame, from: newestStep, baseKey: generation.baseKey, suite: generation.secret.suite)
    generations[position].baseKey = newestBase
    generations[position].keys = generation.keys.suffix(1) + [newest]
    use(position)
    return opened
  }

  private func tryKey(
    _ frame: SealedFrame, from step: UInt8, baseKey: [UInt8], suite: SFrameCipherSuite
  ) throws(SFrameError) -> (opened: [UInt8], key: ReceivingKey, baseKey: [UInt8]) {
    var baseKey = baseKey
    for _ in step..<frame.keyID.step { baseKey = try SFrameKey.ratchet(baseKey, suite: suite, crypto: crypto) }
    let key = try SFrameKey(
      baseKey: baseKey, keyID: frame.keyID.value, suite: suite, seals: false, crypto: crypto)
    var receiving = ReceivingKey(step: frame.keyID.step, key: key)
    let opened = try receiving.open(frame)
    return (opened, receiving, baseKey)
  }

  private mutating func keep(_ generation: KeyGeneration) {
    if generations.count >= Self.maximumGenerations { retire(generations.removeFirst().number) }
    generations.append(generation)
  }

  /// Used last, dropped last.
  private mutating func use(_ position: Int) {
    guard position != generations.count - 1 else { return }
    generations.append(generations.remove(at: position))
  }
}
