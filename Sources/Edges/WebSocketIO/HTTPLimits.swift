import MediaBase

/// What a server grants its clients.
public struct HTTPLimits: Sendable {
  /// Connections at once; further ones are closed at once.
  public var connectionCount = 20_000
  /// Connections of one IPv4 address, or one IPv6 network of 64 bits, at once. Requests on further ones are refused (429).
  public var connectionCountPerAddress = Int.max
  /// A connection whose request has not been sent and answered by then is cut off.
  public var requestTimeout = MediaDuration.milliseconds(20_000)
  /// A request whose line and header fields have more bytes is refused (431).
  public var headByteCount = 16_384
  /// A request that goes on after so many bytes of content that is not wanted is cut off.
  public var unwantedByteCount = 1 << 20
  /// A WebSocket that sends a longer message is closed (code 1009).
  public var messageByteCount = 65_536
  /// A WebSocket that does not take what it is sent is cut off when so many bytes wait, beside what the system takes.
  public var unsentByteCount = 4 << 20
  /// Bytes that may wait on all WebSockets together, to be taken or to become whole messages. Beyond that one of those is cut off
  /// on which most wait.
  public var waitingByteCountOfAll = 256 << 20
  /// How often WebSockets are pinged.
  public var pingInterval = MediaDuration.milliseconds(10_000)
  /// A WebSocket from which nothing, not even the answer to a ping, has come for so long is cut off.
  public var silence = MediaDuration.milliseconds(30_000)

  /// Bytes that are still read of a client that has been told that its connection ends.
  static let lingerByteCount = 65_536

  /// The defaults.
  public init() {}
}
