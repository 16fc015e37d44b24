import ControlWire

/// What has come on one remote user's data streams.
struct DataStreamReceiver {
  private var last: [Int: Int] = [:]

  /// Notes a message; how many before it have been missed, or `nil` if it is one that has come before.
  ///
  /// What was sent before the first message that is seen is nobody's loss. 1 is the beginning of a sender's new life.
  mutating func receive(stream: Int, sequence: Int) -> Int? {
    guard DataStreamLimits.isValidStream(stream) else { return nil }
    guard let before = last[stream], sequence != 1 else {
      last[stream] = sequence
      return 0
    }
    guard sequence > before else { return nil }
    last[stream] = sequence
    return sequence &- before &- 1
  }
}
