public import MediaBase

/// What a user may send on data streams; client and server keep the same limits.
public enum DataStreamLimits {
  /// Streams of one connection; their numbers are 1 to this.
  public static let streamCount = 5
  /// Longest message in bytes.
  public static let messageByteCount = 1_024
  /// What encryption between the ends may add to a message; it counts for none of the limits.
  public static let encryptionByteCount = 32
  /// Bytes a second that a connection may send on all its streams together.
  public static let bytesPerSecond = 6_144
  /// Messages a second that a connection may send on all its streams together.
  public static let messagesPerSecond = 30

  /// Whether a number names a data stream.
  public static func isValidStream(_ id: Int) -> Bool { (1...streamCount).contains(id) }
}

/// How much a connection may still send on its data streams: what is allowed for one second, filled up as time goes by.
public struct DataStreamAllowance: Sendable {
  private let seconds: Double
  private var bytes: Double
  private var messages: Double
  private var time: MediaInstant?

  /// - Parameter seconds: how many seconds' worth may be sent at once.
  public init(seconds: Double = 1) {
    self.seconds = seconds
    bytes = Double(DataStreamLimits.bytesPerSecond) * seconds
    messages = Double(DataStreamLimits.messagesPerSecond) * seconds
  }

  /// Takes one message of so many bytes; false, and nothing is taken, if that much is not left.
  public mutating func take(byteCount: Int, now: MediaInstant) -> Bool {
    let passed = time.map { max(0, (now - $0).seconds) } ?? 0
    time = now
    bytes = min(
      bytes + passed * Double(DataStreamLimits.bytesPerSecond), Double(DataStreamLimits.bytesPerSecond) * seconds)
    messages = min(
      messages + passed * Double(DataStreamLimits.messagesPerSecond),
      Double(DataStreamLimits.messagesPerSecond) * seconds)
    guard bytes >= Double(byteCount), messages >= 1 else { return false }
    bytes -= Double(byteCount)
    messages -= 1
    return true
  }
}
