public import ControlWire

/// A message that the signalling relay wants sent on one signalling connection.
public struct SignalDelivery: Hashable, Sendable {
  /// The connection, by the number under which its requests came in.
  public var client: UInt64
  /// What to send; `nil` if there is nothing to say before closing.
  public var response: SignalResponse?
  /// Whether the connection must be closed after `response`.
  public var closesAfter: Bool

  /// Makes a delivery.
  public init(client: UInt64, response: SignalResponse?, closesAfter: Bool = false) {
    self.client = client
    self.response = response
    self.closesAfter = closesAfter
  }
}
