import MediaBase

/// Where the exchange on the control socket stands.
enum ControlPhase {
  /// A socket is being opened; at the deadline the attempt counts as failed.
  case opening(deadline: MediaInstant)
  /// `join` has been sent; at the deadline the attempt counts as failed.
  case joining(deadline: MediaInstant)
  /// In the channel.
  case joined
  /// The socket is gone; the next attempt begins at this time.
  case waiting(until: MediaInstant)
  /// Left or failed: nothing happens any more.
  case ended

  var deadline: MediaInstant? {
    switch self {
    case .opening(let deadline), .joining(let deadline): deadline
    case .waiting(let until): until
    case .joined, .ended: nil
    }
  }
}
