public import ControlWire
public import MediaBase

/// Who is logged in for signalling; relays short texts between them. Without input and output.
public struct SignalDirectory: Sendable {
  private var clients: [UInt: UInt64] = [:]
  private var uids: [UInt64: UInt] = [:]
  private var deliveries = DeliveryQueue<SignalDelivery>()

  /// Makes an empty directory.
  public init() {}

  /// Users logged in.
  public var userCount: Int { clients.count }

  /// Takes a request from connection `client`.
  public mutating func receive(_ request: SignalRequest, from client: UInt64, now: MediaInstant) {
    switch request {
    case .login(let request): login(request, client: client)
    case .send(let request): relay(request, client: client)
    case .logout:
      remove(client)
      deliveries.append(SignalDelivery(client: client, response: nil, closesAfter: true))
    }
  }

  /// Connection `client` has ended, whoever ended it.
  public mutating func clientClosed(_ client: UInt64, now: MediaInstant) { remove(client) }

  /// The next message to send, or `nil`.
  public mutating func pollDelivery() -> SignalDelivery? { deliveries.popFirst() }

  private mutating func login(_ request: LoginRequest, client: UInt64) {
    guard uids[client] == nil else {
      return refuse(.invalidState, "This connection is logged in already; open another to log in again.", client)
    }
    guard request.version == ControlProtocol.version else {
      return refuse(
        .unsupportedVersion,
        "The server speaks version \(ControlProtocol.version), not \(request.version); use a matching client.", client)
    }
    guard ControlProtocol.isValidUID(request.uid) else {
      return refuse(.invalidUID, "uid \(request.uid) is out of range; use 1 to 4294967295.", client)
    }
    if let older = clients[request.uid] {
      remove(older)
      let error = ErrorResponse(
        code: .sameUIDLogin, message: "The same uid has logged in elsewhere; log out there first to log in here.")
      deliveries.append(SignalDelivery(client: older, response: .removed(error), closesAfter: true))
    }
    clients[request.uid] = client
    uids[client] = request.uid
    deliveries.append(SignalDelivery(client: client, response: .loggedIn(LoggedInResponse(uid: request.uid))))
  }

  private mutating func relay(_ request: SendRequest, client: UInt64) {
    guard let uid = uids[client] else {
      return refuse(.invalidState, "Not logged in; log in before sending.", client, request.requestID)
    }
    guard request.message.utf8.count <= SendRequest.maximumMessageByteCount else {
      return refuse(
        .invalidArgument, "The message is longer than \(SendRequest.maximumMessageByteCount) bytes; shorten it.",
        client, request.requestID)
    }
    guard !request.message.utf8.contains(0) else {
      return refuse(
        .invalidArgument, "The message has a character U+0000 in it; take it out.", client, request.requestID)
    }
    guard let receiver = clients[request.to] else {
      return refuse(.userOffline, "User \(request.to) is not logged in; try again later.", client, request.requestID)
    }
    deliveries.append(
      SignalDelivery(client: receiver, response: .message(ReceivedMessage(from: uid, message: request.message))))
    deliveries.append(
      SignalDelivery(client: client, response: .delivered(UpdatedResponse(requestID: request.requestID))))
  }

  /// Refuses a request; a connection that has not logged in ends with that.
  private mutating func refuse(
    _ code: ControlErrorCode, _ message: String, _ client: UInt64, _ requestID: Int? = nil
  ) {
    let error = ErrorResponse(code: code, message: message, requestID: requestID)
    deliveries.append(
      SignalDelivery(client: client, response: .error(error), closesAfter: uids[client] == nil))
  }

  private mutating func remove(_ client: UInt64) {
    if let uid = uids.removeValue(forKey: client) { clients[uid] = nil }
  }
}
