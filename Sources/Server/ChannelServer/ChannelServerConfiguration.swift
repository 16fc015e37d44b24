public import ChannelCore

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
  /// Most control connections at once.
  public var maximumConnectionCount = 20_000
  /// Most sessions by WHIP and WHEP of one IP address at once.
  public var maximumSessionCountPerAddress = 4_000
  /// Whether publishers by WebRTC may tell how their camera is held instead of turning the pictures themselves, which saves
  /// them work. Only for channels whose receivers are all browsers: native users show such pictures as they come.
  public var passesOrientation = false
  /// Messages that a control connection may send in a row; one more is earned every 20 ms. A message counts once more for
  /// every 4,096 bytes.
  public var messageBurst = 200

  /// How long signalling keeps things, and how many.
  public var signalling = SignalConfiguration()

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
