import ChannelCore
import ControlWire
import MediaBase
import OpenSSLCrypto

/// The server: a real shard and the real signalling directory, behind one address.
public final class SimulatedServer {
  static let address = TransportAddress(ipv4: 0xC000_0201, port: 7_000)

  var shard: ChannelShard
  var signals = SignalDirectory()
  let slab: UnsafeMutableRawBufferPointer
  var sockets: [UInt64: ControlSocket] = [:]
  /// Signalling connections that are open, by number.
  var signalUsers: [UInt64: SimulatedUser] = [:]
  var timer: MediaInstant?

  init(seed: UInt64, now: MediaInstant) {
    slab = .allocate(byteCount: 65_536, alignment: 64)
    shard = Self.makeShard(seed: seed, now: now)
  }

  private static func makeShard(seed: UInt64, now: MediaInstant) -> ChannelShard {
    let configuration = ShardConfiguration(
      candidates: [CandidateAddress(host: Self.address.host, port: Self.address.port)])
    return ChannelShard(configuration: configuration, crypto: OpenSSLCrypto.provider, seed: seed, now: now)
  }

  /// Ends as by `kill -9`, and begins again with nothing.
  func restart(seed: UInt64, now: MediaInstant) {
    shard = Self.makeShard(seed: seed, now: now)
    sockets.removeAll()
    timer = nil
  }

  deinit { slab.deallocate() }

  /// What the shard holds: nothing once everybody has left.
  public var holdings: ShardHoldings { shard.holdings }

  /// Users logged in for signalling.
  public var signalUserCount: Int { signals.userCount }

  /// Users whom the shard has dropped since their media fell silent.
  public var lostUserCount: Int { shard.statistics.lostUserCount }
}
