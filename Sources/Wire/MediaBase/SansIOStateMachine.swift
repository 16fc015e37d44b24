/// The verbs that every state machine below the edges shares.
///
/// A machine owns no clock, socket, thread or source of randomness. After each mutation its owner drains it: datagrams by
/// the machine's own `pollTransmit(into:)`, then events by `pollEvent()`, until both are empty; then it waits for
/// `nextTimeout` or new input. Children return values and never know their parents.
///
/// Input (`receive…(_:now:)`) and output (`pollTransmit(into:)`) differ in shape from level to level (a datagram with an
/// address here, a decrypted packet there), so they are named alike but not part of the protocol.
public protocol SansIOStateMachine: ~Copyable {
  /// What the machine reports to its owner.
  associatedtype Event

  /// Does everything that has become due at `now`. Calling it early or twice is harmless.
  mutating func handleTimeout(now: MediaInstant)

  /// The next event in the order in which they happened; `nil` when there is none.
  mutating func pollEvent() -> Event?

  /// When `handleTimeout(now:)` wants to be called; `nil` means that only input can change anything. O(1).
  var nextTimeout: MediaInstant? { get }
}
