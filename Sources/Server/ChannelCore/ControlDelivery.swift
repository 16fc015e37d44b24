public import ControlWire

/// A message that the control plane wants sent on one channel connection.
public struct ControlDelivery: Hashable, Sendable {
  /// The connection, by the number under which its requests came in.
  public var client: UInt64
  /// What to send; `nil` if there is nothing to say.
  public var response: ChannelResponse?
  /// Whether the connection must be closed after `response`.
  public var closesAfter: Bool
  /// Whether the media connection of this participant by WebRTC is there, for the first time.
  public var isConnected: Bool

  /// Makes a delivery.
  public init(client: UInt64, response: ChannelResponse?, closesAfter: Bool = false, isConnected: Bool = false) {
    self.client = client
    self.response = response
    self.closesAfter = closesAfter
    self.isConnected = isConnected
  }
}
