/// Why a control socket could not be opened or is no longer open.
public enum ControlCloseReason: Hashable, Sendable {
  /// The server cannot be reached; `message` is a sentence for people.
  case unreachable(message: String)
  /// It was open and is no longer.
  case closed(message: String)

  /// What happened, for people.
  public var message: String {
    switch self {
    case .unreachable(let message), .closed(let message): message
    }
  }
}
