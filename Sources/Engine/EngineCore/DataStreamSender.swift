import ControlWire
public import MediaBase

/// The sending side of a connection's data streams: their numbers, and what may be sent. It lives where the application's
/// calls are checked, since these want an answer at once.
public struct DataStreamSender: Sendable {
  private var sequences: [Int] = []
  private var allowance = DataStreamAllowance()

  /// No streams yet.
  public init() {}

  /// Makes one more stream and returns its number, counted from 1.
  ///
  /// - Throws: `tooManyDataStreams` after `DataStreamLimits.streamCount` streams.
  public mutating func createStream() throws(EngineErrorCode) -> Int {
    guard sequences.count < DataStreamLimits.streamCount else { throw .tooManyDataStreams }
    sequences.append(0)
    return sequences.count
  }

  /// Counts a message that is about to be sent, and returns its number on the stream.
  ///
  /// - Throws: `invalidArgument` (no such stream, or nothing to send), `sizeTooLarge`, `bitrateLimit`. Nothing is counted
  ///   then.
  public mutating func nextSequence(stream: Int, byteCount: Int, now: MediaInstant) throws(EngineErrorCode) -> Int {
    guard (1...DataStreamLimits.streamCount).contains(stream), stream <= sequences.count, byteCount > 0 else {
      throw .invalidArgument
    }
    guard byteCount <= DataStreamLimits.messageByteCount else { throw .sizeTooLarge }
    guard allowance.take(byteCount: byteCount, now: now) else { throw .bitrateLimit }
    sequences[stream - 1] += 1
    return sequences[stream - 1]
  }
}
