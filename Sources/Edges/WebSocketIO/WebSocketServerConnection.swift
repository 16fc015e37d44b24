import LinuxIO
import MediaBase
import WebSocketWire

/// A WebSocket that a client has opened. Its methods may be called from any thread.
public final class WebSocketServerConnection: @unchecked Sendable {
  // @unchecked: everything that can change is touched on the server's thread only.

  /// What the owner of a connection wants to know; called on the server's thread.
  public struct Handlers: Sendable {
    /// A text has come.
    public var onText: @Sendable (String) -> Void
    /// The connection has ended, whoever ended it. The last call.
    public var onClosed: @Sendable () -> Void

    /// Makes handlers.
    public init(onText: @escaping @Sendable (String) -> Void, onClosed: @escaping @Sendable () -> Void) {
      self.onText = onText
      self.onClosed = onClosed
    }
  }

  enum State {
    /// Not known to be wanted yet: what is sent waits.
    case opening
    case open
    /// A close frame is on its way; nothing more is sent.
    case closing
    /// Both sides have said that they close: it ends when that has been sent.
    case finishing
    /// It has failed, or its client does not take what it is sent: it ends as soon as whoever is calling now has done.
    case failing
    case ended
  }

  /// Counts connections of a server, from 1.
  public let id: UInt64
  /// The client's address, without the port.
  public var remoteHost: String { remoteAddress.host }

  let remoteAddress: TransportAddress
  let network: ClientNetwork
  let socket: ClientSocket
  let limits: HTTPLimits
  weak let core: HTTPServerCore?
  private weak let loop: ServerLoop?
  var state = State.opening
  var receiver: WebSocketReceiver
  var handlers: Handlers?
  /// What the system has not taken; the first `unsentOffset` bytes are done.
  var unsent: [UInt8] = []
  var unsentOffset = 0
  /// Bytes of a message that has not come whole.
  var partialByteCount = 0
  /// Bytes that wait on it either way, as the server knows.
  var notedByteCount = 0
  var isWatchingWriting = false
  var hasEndedWriting = false
  var hasStoppedReading = false
  /// When the client was heard last, and pinged last.
  var hearTime: MediaInstant
  var pingTime: MediaInstant
  /// When a connection that is being closed is cut off.
  var endTime: MediaInstant?
  /// Bytes that may still come while it is being closed.
  var unwantedByteCount = 0

  init(
    id: UInt64, socket: ClientSocket, remoteAddress: TransportAddress, core: HTTPServerCore, limits: HTTPLimits,
    now: MediaInstant
  ) {
    self.id = id
    self.socket = socket
    self.remoteAddress = remoteAddress
    network = ClientNetwork(remoteAddress)
    self.core = core
    loop = core.loop
    self.limits = limits
    receiver = WebSocketReceiver(from: .client, maximumMessageByteCount: limits.messageByteCount)
    (hearTime, pingTime) = (now, now)
  }

  /// Sends a text. Dropped if the connection has ended. A client that does not take what it is sent is cut off.
  public func send(text: String) { onLoop { $0.sendNow(text) } }

  /// Closes the connection; RFC 6455 section 7.4 lists codes, 4000 to 4999 are free.
  public func close(code: Int = 1_000, reason: String = "") {
    onLoop { $0.closeNow(WebSocketCloseCode(rawValue: UInt16(clamping: code)), reason) }
  }

  private func onLoop(_ body: @escaping @Sendable (WebSocketServerConnection) -> Void) {
    guard let loop else { return }
    if loop.isCurrent { body(self) } else { loop.post { body(self) } }
  }
}
