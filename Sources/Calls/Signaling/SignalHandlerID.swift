/// Names a handler of a `SignalClient`, to take it off again.
public struct SignalHandlerID: Hashable, Sendable {
  let value: UInt64
}
