import ControlWire

/// The sessions that have ended last without their client's wish, so that those can be told why, and may take leave all the
/// same: what a client says when it goes often comes behind the end of its media connection.
struct EndedSessions {
  private struct Ending {
    var path: WebRTCPath
    /// Why, if somebody wanted it.
    var error: ErrorResponse?
  }

  /// How many are remembered.
  static let capacity = 1_024

  private var endings: [String: Ending] = [:]
  /// Their names, of which the oldest is written over; also of those that nobody asks for any longer.
  private var names: [String] = []
  private var next = 0

  /// A session has ended.
  mutating func add(_ session: WebRTCSession, _ error: ErrorResponse?) {
    if names.count < Self.capacity {
      names.append(session.resource)
    } else {
      endings[names[next]] = nil
      names[next] = session.resource
      next = (next + 1) % Self.capacity
    }
    endings[session.resource] = Ending(path: session.path, error: error)
  }

  /// Why the session at an address has ended; `nil` if that is not known.
  func error(_ resource: String, _ path: WebRTCPath) -> ErrorResponse? {
    guard let ending = endings[resource], Self.isSame(ending.path, path) else { return nil }
    return ending.error
  }

  /// A client takes leave of a session: whether that had ended by itself, and not because somebody wanted it.
  mutating func remove(_ resource: String, _ path: WebRTCPath) -> Bool {
    guard let ending = endings[resource], ending.error == nil, Self.isSame(ending.path, path) else { return false }
    endings[resource] = nil
    return true
  }

  private static func isSame(_ one: WebRTCPath, _ other: WebRTCPath) -> Bool {
    one.kind == other.kind && one.channel == other.channel
  }
}
