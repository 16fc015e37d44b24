public import CallSupervision
public import ChannelCore
import MediaBase
public import OpenSSLTLS
public import RedisPubSub

/// Where a channel server listens, and how much it accepts.
public struct ChannelServerConfiguration: Sendable {
  /// IP address for control connections.
  public var httpHost: String
  /// TCP port for control connections; 0 lets the system choose.
  public var httpPort: UInt16
  /// IP address for media.
  public var udpHost: String
  /// UDP port of the first worker; each further one takes the next. 0 lets the system choose for all.
  public var udpPort: UInt16
  /// IP addresses that clients are told to send media to, best first, in place of `udpHost`: those of a port forwarding or a
  /// NAT. The ports must be the same there. If it is empty and `udpHost` is `0.0.0.0` or `::`, clients are told the
  /// addresses of this machine's interfaces.
  public var advertisedHosts: [String] = []
  /// Threads that forward media, each with its own channels and port.
  public var workers: Int
  /// Without tokens, and on loopback only.
  public var development: Bool
  /// Who may enter, if this is not development mode.
  public var tokens: TokenPolicy?
  /// For https and wss, which is needed to listen for control connections beyond loopback: keys travel on them.
  public var tls: TLSFiles?
  /// Whether control connections beyond loopback are accepted without TLS, because something in front of the server sees to
  /// it.
  public var isBehindTLSProxy = false
  /// Most control connections at once.
  public var maximumConnectionCount = 20_000
  /// Most control connections of one IPv4 address, or one IPv6 network of 64 bits, at once; further ones are refused with
  /// 429. `nil` for 4,000, or as many as there may be if all may come from one address: when the server listens on loopback
  /// or behind a proxy, which then has to limit.
  public var maximumConnectionCountPerAddress: Int?
  /// Most sessions by WHIP and WHEP of one IPv4 address, or one IPv6 network of 64 bits, at once; further ones are refused
  /// with 429. `nil` for 4,000, or as many as there may be if all may come from one address, as with control connections.
  public var maximumSessionCountPerAddress: Int?
  /// Most of those sessions whose media connection (ICE and DTLS) has never been there; each ends after 30 s without one.
  /// `nil` for 100, or as many as there may be if all may come from one address.
  public var maximumUnconnectedSessionCountPerAddress: Int?
  /// Whether publishers by WebRTC may tell how their camera is held instead of turning the pictures themselves, which saves
  /// them work. Only for channels whose receivers are all browsers: native users show such pictures as they come.
  public var passesOrientation = false
  /// How many voices of a channel are forwarded, the loudest ones; 0 for all.
  public var loudestSpeakers = 0
  /// Messages that a control connection may send in a row; one more is earned every 20 ms. A message counts once more for
  /// every 4,096 bytes.
  public var messageBurst = 200

  /// How long signalling keeps things, and how many.
  public var signalling = SignalConfiguration()

  /// How long calls are waited for, and how many are kept in memory.
  public var calls = CallLedgerConfiguration()
  /// A SQLite file for records of calls, made if it is not there; without it they are in memory, the last 10,000 of them.
  public var callRecordFile: String?
  /// Records of older calls are removed.
  public var callRecordMaximumAgeDays = 30
  /// Keeps records of calls in place of SQLite.
  public var callRecordStore: (any CallRecordStore)?
  /// Told in words, at most once a minute, that records of calls cannot be written; on any thread.
  public var callRecordTrouble: @Sendable (String) -> Void = { _ in }
  /// Called with all that happens to calls, on the server's control thread; must return at once.
  public var callObservers: [@Sendable (CallLedgerEvent) -> Void] = []

  /// The Redis through which users of several servers reach each other; each server of a cluster names the same.
  public var redis: RedisAddress?

  /// What `GET /metrics` has to be shown (`Authorization: Bearer`). Without it, only whoever is on this machine may read
  /// them, and nobody if the server may be behind a proxy.
  public var metricsToken: String?

  /// What `GET /v1/calls` has to be shown, in the same way.
  public var callsToken: String?

  /// Makes a configuration.
  public init(
    httpHost: String = "127.0.0.1", httpPort: UInt16, udpHost: String = "127.0.0.1", udpPort: UInt16, workers: Int = 1,
    development: Bool
  ) {
    self.httpHost = httpHost
    self.httpPort = httpPort
    self.udpHost = udpHost
    self.udpPort = udpPort
    self.workers = workers
    self.development = development
  }
}

extension ChannelServerConfiguration {
  /// What one address may have: `wanted`, or `usual` if clients' addresses are their own. If all may come from one address,
  /// there is no limit.
  func limitPerAddress(_ wanted: Int?, usually usual: Int) -> Int {
    let isReachedDirectly = !isBehindTLSProxy && TransportAddress(host: httpHost, port: 0)?.isLoopback == false
    return wanted ?? (isReachedDirectly ? usual : .max)
  }
}
