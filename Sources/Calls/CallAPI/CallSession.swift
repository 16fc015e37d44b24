import MediaEngine

/// The call of the moment.
struct CallSession: Sendable {
  var type = CallType.video
  var callID = ""
  var room: String?
  var peer: UInt?
  var isLocalAccepted = false
  var hasFirstFrame = false
  /// Whether this side called.
  var isCaller = false
  var startTime: MediaInstant?
  var connectedTime: CallInstant?
  /// Milliseconds since the start at which steps were reached.
  var costs: [String: JSONValue] = [:]

  mutating func noteCost(_ name: String, _ now: CallInstant) {
    guard let startTime else { return }
    costs[name] = .integer((now.monotonic - startTime).milliseconds)
  }
}
