import ControlWire
import MediaBase

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
  private var order = ArrivalOrder<String>()

  /// A session has ended.
  mutating func add(_ session: WebRTCSession, _ error: ErrorResponse?) {
    endings[session.resource] = Ending(path: session.path, error: error)
    order.append(session.resource)
    if order.count > Self.capacity, let oldest = order.first { forget(oldest) }
  }

  /// Why the session at an address has ended; `nil` if that is not known.
  func error(_ resource: String, _ path: WebRTCPath) -> ErrorResponse? {
    guard let ending = endings[resource], Self.isSame(ending.path, path) else { return nil }
    return ending.error
  }

  /// A client takes leave of a session: whether that had ended by itself, and not because somebody wanted it.
  mutating func remove(_ resource: String, _ path: WebRTCPath) -> Bool {
    guard let ending = endings[resource], ending.error == nil, Self.isSame(ending.path, path) else { return false }
    forget(resource)
    return true
  }

  private mutating func forget(_ resource: String) {
    endings[resource] = nil
    order.remove(resource)
  }

  private static func isSame(_ one: WebRTCPath, _ other: WebRTCPath) -> Bool {
    one.kind == other.kind && one.channel == other.channel
  }
}
