public import ControlWire
public import MediaBase

/// Who is logged in for signalling; relays short texts between them. Without input and output.
///
/// A text to a user with a session is kept until the user's client confirms it, its time is over, or the user is gone; the
/// sender is always told which. A text of a session is taken once, however often it is sent.
public struct SignalDirectory: Sendable {
  let configuration: SignalConfiguration
  var users: [UInt: SignalUser] = [:]
  var uids: [UInt64: UInt] = [:]
  var loginCount: UInt64 = 0
  var claimCount: UInt64 = 0
  /// When to look after users with texts that wait for confirmation, or without a connection.
  var deadlines = DeadlineQueue<UInt>()
  var remoteTexts = RemoteWaits()
  var remoteDeadlines = DeadlineQueue<UInt64>()
  /// What waits for whom.
  var holdings = HoldingTable<UInt>()
  private var deliveries = DeliveryQueue<SignalDelivery>()
  private var events = DeliveryQueue<SignalDirectoryEvent>()

  /// Things that become due within such a time are done together.
  static let sweepInterval = MediaDuration.milliseconds(50)

  /// Makes an empty directory.
  public init(configuration: SignalConfiguration = SignalConfiguration()) { self.configuration = configuration }

  /// Users logged in, or expected back soon.
  public var userCount: Int { users.count }

  /// Whether a user is logged in here, or expected back soon.
  public func isLoggedIn(_ uid: UInt) -> Bool { users[uid] != nil }

  /// Takes a request from connection `client`.
  public mutating func receive(_ request: SignalRequest, from client: UInt64, now: MediaInstant) {
    switch request {
    case .login(let request): login(request, client: client, now: now)
    case .send(let request): relay(request, client: client, now: now)
    case .received(let request): confirm(request, client: client, now: now)
    case .report(let request): report(request, client: client)
    case .renewToken(let request):
      guard uids[client] != nil else { return refuseNotLoggedIn(client, request.requestID) }
      deliver(.updated(UpdatedResponse(requestID: request.requestID)), to: client)
    case .logout:
      if let uid = uids[client] { remove(uid, why: .loggedOut, now: now) }
      append(SignalDelivery(client: client, response: nil, closesAfter: true))
    }
  }

  /// The next message to send, or `nil`.
  public mutating func pollDelivery() -> SignalDelivery? { deliveries.popFirst() }

  /// The next event, or `nil`.
  public mutating func pollEvent() -> SignalDirectoryEvent? { events.popFirst() }

  /// When `handleTimeout(now:)` wants to be called; `nil` while there is nothing to wait for.
  public var nextTimeout: MediaInstant? { .earliest(deadlines.nextTime, remoteDeadlines.nextTime) }

  /// Does everything that has become due.
  public mutating func handleTimeout(now: MediaInstant) {
    while let uid = deadlines.popFirst(dueAt: now) { sweep(uid, now: now) }
    while let number = remoteDeadlines.popFirst(dueAt: now) {
      giveBackRemote(number, now: now)
    }
  }

  mutating func append(_ delivery: SignalDelivery) { deliveries.append(delivery) }

  mutating func append(_ event: SignalDirectoryEvent) { events.append(event) }

  mutating func deliver(_ response: SignalResponse, to client: UInt64) {
    deliveries.append(SignalDelivery(client: client, response: response))
  }

  /// Has a user looked after at `time`, or soon after.
  mutating func expect(_ time: MediaInstant, of uid: UInt, now: MediaInstant) {
    deadlines.setIfEarlier(uid, max(time, now + Self.sweepInterval))
  }

  /// Refuses a request; a connection that has not logged in ends with that.
  mutating func refuse(_ code: ControlErrorCode, _ message: String, _ client: UInt64, _ requestID: Int? = nil) {
    let error = ErrorResponse(code: code, message: message, requestID: requestID)
    deliveries.append(
      SignalDelivery(client: client, response: .error(error), closesAfter: uids[client] == nil))
  }

  mutating func refuseNotLoggedIn(_ client: UInt64, _ requestID: Int?) {
    refuse(.invalidState, "Not logged in; log in first.", client, requestID)
  }
}
