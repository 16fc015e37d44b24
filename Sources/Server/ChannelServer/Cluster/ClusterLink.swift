import CallSupervision
import ChannelCore
import ControlWire
import MediaBase
import RedisPubSub
import WebSocketIO

/// The other servers, by a Redis: who is logged in where, texts between users of two servers, records of calls.
///
/// Each server has a channel of its own. A key for each user has the number of the user's login and names its server; it
/// runs out by itself when that server is gone. Everything here is called on the HTTP thread, apart from what Redis says,
/// which is posted there.
final class ClusterLink: Sendable {
  /// What other servers have said.
  enum News: Sendable {
    case text(RemoteText, server: String)
    /// What has become of a text that was sent.
    case answer(number: UInt64, error: ErrorResponse?)
    /// A user of this server has logged in at another, by a claim with this number.
    case taken(uid: UInt, number: UInt64)
    /// The number of a login here, or none if a newer login elsewhere stands.
    case numbered(SignalClaim, UInt64?)
    /// Redis has not answered.
    case claimFailed(SignalClaim)
    /// Say again who is logged in here.
    case refresh
  }

  private final class Receiver: @unchecked Sendable {
    // @unchecked: touched on the HTTP thread only.
    var deliver: (News) -> Void = { _ in }
  }

  private let redis: RedisClient
  private let server: String
  private let receiver: Receiver
  private let post: @Sendable (@escaping @Sendable () -> Void) -> Void

  private static let userPrefix = "greenroom:user:"
  private static let serverPrefix = "greenroom:server:"
  /// Where records of calls are published: one entry for each change, with the fields `callId`, `change` and `record`.
  static let stream = "greenroom:calls"
  /// Entries that are kept there, about.
  private static let streamLength = 100_000
  /// How long a user's key outlives its server, and how often it is written again.
  private static let (keySeconds, refreshMilliseconds) = (30, 10_000)

  init(_ address: RedisAddress, http: HTTPServer) {
    let server = String(UInt64.random(in: .min ... .max), radix: 16)
    let receiver = Receiver()
    let post: @Sendable (@escaping @Sendable () -> Void) -> Void = { [weak http] body in http?.post(body) }
    self.server = server
    self.receiver = receiver
    self.post = post
    redis = RedisClient(
      address, channel: Self.serverPrefix + server,
      onText: { text in
        guard let message = try? ControlMessageCoding.decode(ClusterMessage.self, from: text) else { return }
        post { receiver.deliver(News(message)) }
      },
      // What was known about this server's users may have run out meanwhile.
      onReady: { isReady in if isReady { post { receiver.deliver(.refresh) } } })
    http.every(milliseconds: Self.refreshMilliseconds) { receiver.deliver(.refresh) }
  }

  /// Called with what other servers say, on the HTTP thread.
  var deliver: (News) -> Void {
    get { receiver.deliver }
    set { receiver.deliver = newValue }
  }

  /// A user has logged in here: whoever it was elsewhere is removed there.
  func claim(_ claim: SignalClaim) { send(ArraySlice([claim])) { _ in 0 } }

  /// Writes the keys of users here again; those who have logged in elsewhere meanwhile are removed here.
  func repeatClaims(_ claims: [SignalClaim], now: MediaInstant) {
    for start in stride(from: 0, to: claims.count, by: 500) {
      send(claims[start..<min(start + 500, claims.count)]) { max(1, (now - $0.time).nanoseconds / 1_000) }
    }
  }

  /// - Parameter age: how long ago the login was, in microseconds; 0 for one that comes after all that is known.
  private func send(_ claims: ArraySlice<SignalClaim>, age: (SignalClaim) -> Int64) {
    let keys = claims.map { Self.userPrefix + String($0.uid) }
    let details = claims.flatMap { [String($0.uid), String($0.number ?? 0), String(age($0))] }
    let receiver = receiver
    redis.send(
      ["EVAL", Self.claimScript, String(keys.count)] + keys
        + [server, String(Self.keySeconds), Self.serverPrefix] + details
    ) { [post] reply in
      var numbers: [UInt64?] = []
      if case .array(let entries)? = reply { numbers = entries.map { $0.integer.map { UInt64(clamping: $0) } } }
      let news = claims.enumerated().map { index, claim -> News in
        guard index < numbers.count, let number = numbers[index] else { return .claimFailed(claim) }
        return .numbered(claim, number > 0 ? number : nil)
      }
      post { for one in news { receiver.deliver(one) } }
    }
  }

  /// A user is no longer logged in here.
  func loggedOut(_ uid: UInt) {
    redis.send([
      "EVAL",
      """
      local known = redis.call('GET', KEYS[1])
      if known and string.match(known, ' (%S+)$') == ARGV[1] then redis.call('DEL', KEYS[1]) end
      """, "1", Self.userPrefix + String(uid), server,
    ])
  }

  /// Sends a text to wherever its receiver is. What becomes of it is told by `deliver`.
  func send(_ remote: RemoteText) {
    let receiver = receiver
    redis.send([
      "EVAL",
      """
      local known = redis.call('GET', KEYS[1])
      if not known then return 0 end
      return redis.call('PUBLISH', ARGV[1] .. string.match(known, '(%S+)$'), ARGV[2])
      """, "1", Self.userPrefix + String(remote.to), Self.serverPrefix, text(.text(remote, server: server)),
    ]) { [post] reply in
      let error: ErrorResponse
      switch reply {
      case .integer(let count)? where count > 0: return
      case .integer?:
        error = ErrorResponse(code: .userOffline, message: "User \(remote.to) is not logged in; try again later.")
      default:
        error = ErrorResponse(
          code: .clusterUnavailable,
          message: "User \(remote.to) is not logged in here, and the other servers cannot be reached; try again later.")
      }
      post { receiver.deliver(.answer(number: remote.number, error: error)) }
    }
  }

  /// Tells another server what has become of its text.
  func answer(_ server: String, number: UInt64, error: ErrorResponse?) {
    redis.send(["PUBLISH", Self.serverPrefix + server, text(.answer(number: number, error: error))])
  }

  /// Publishes the record of a call.
  func publish(_ record: CallRecord, _ change: CallLedgerEvent.Change) {
    guard let text = try? ControlMessageCoding.encode(record) else { return }
    redis.send([
      "XADD", Self.stream, "MAXLEN", "~", String(Self.streamLength), "*", "callId", record.callID, "change",
      change.rawValue, "record", text,
    ])
  }

  /// Gives connections and threads back. Not on a thread of Redis'.
  func stop() { redis.stop() }

  private func text(_ message: ClusterMessage) -> String { (try? ControlMessageCoding.encode(message)) ?? "" }
}

extension ClusterLink.News {
  fileprivate init(_ message: ClusterMessage) {
    switch message {
    case .text(let text, let server): self = .text(text, server: server)
    case .answer(let number, let error): self = .answer(number: number, error: error)
    case .taken(let uid, let number): self = .taken(uid: uid, number: number)
    }
  }
}
