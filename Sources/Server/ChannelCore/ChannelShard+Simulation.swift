public import MediaBase
public import SecureChannel
import Synchronization

extension ChannelShard {
  /// Makes a shard whose keys, passwords and numbers all follow from `seed`, for simulations and tests that must repeat.
  /// Never for real users: who knows the seed knows the keys.
  public init(configuration: ShardConfiguration, crypto: CryptoProvider, seed: UInt64, now: MediaInstant) {
    let random = SharedRandom(seed: seed)
    self.init(configuration: configuration, crypto: crypto, randomBytes: { random.bytes($0) }, now: now)
  }
}

/// A repeatable source of bytes that a sendable closure can hold.
private final class SharedRandom: Sendable {
  private let random: Mutex<SeededRandom>

  init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

  func bytes(_ count: Int) -> [UInt8] {
    random.withLock { random in (0..<max(count, 0)).map { _ in UInt8(truncatingIfNeeded: random.next() &>> 32) } }
  }
}
