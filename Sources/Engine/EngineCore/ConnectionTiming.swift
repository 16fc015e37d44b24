import MediaBase

/// The waiting times of a connection. Tests shorten them.
public struct ConnectionTiming: Sendable {
  /// How long the server may take to answer `join` before the attempt counts as failed.
  public var joinTimeout = MediaDuration.milliseconds(5_000)
  /// Wait before the first repeated attempt; doubles up to `longestRetryDelay`, plus up to a quarter at random.
  public var firstRetryDelay = MediaDuration.milliseconds(200)
  /// Longest wait between attempts.
  public var longestRetryDelay = MediaDuration.milliseconds(4_000)
  /// After so long without anything from the server the connection counts as interrupted. It goes on as it was if
  /// something comes before `ICETiming.consentTimeout`; otherwise it is made anew.
  public var interrupted = MediaDuration.milliseconds(4_000)
  /// After so long in `reconnecting` the reason becomes `lost`.
  public var lost = MediaDuration.milliseconds(10_000)
  /// After so long without success the engine gives up: `failed` with `joinFailed`.
  public var giveUp = MediaDuration.milliseconds(1_200_000)
  /// How long the media path may take to open after `joined`, before the connection is made anew.
  public var mediaTimeout = MediaDuration.milliseconds(10_000)
  /// A remote stream without frames for so long is frozen.
  public var frozen = MediaDuration.milliseconds(500)
  /// After a pause of this length the next frame counts as a first frame again.
  public var firstFrameAgain = MediaDuration.milliseconds(15_000)
  /// How often statistics are reported.
  public var statisticsInterval = MediaDuration.milliseconds(2_000)

  /// So long after a new key the one before is good for receiving, since not everybody changes at once.
  public var keyOverlap = MediaDuration.milliseconds(10_000)
  /// Failures of encryption are reported so often at most, of each user.
  public var encryptionErrorInterval = MediaDuration.milliseconds(5_000)

  /// The usual times.
  public init() {}

  /// The same with every time at least 10 ms and at most a day: without a wait somebody would never sleep.
  package var inRange: ConnectionTiming {
    var result = self
    let paths: [WritableKeyPath<ConnectionTiming, MediaDuration>] = [
      \.joinTimeout, \.firstRetryDelay, \.longestRetryDelay, \.interrupted, \.lost, \.giveUp, \.mediaTimeout, \.frozen,
      \.firstFrameAgain, \.statisticsInterval, \.keyOverlap, \.encryptionErrorInterval,
    ]
    for path in paths {
      result[keyPath: path] = min(max(self[keyPath: path], .milliseconds(10)), .seconds(Int64(86_400)))
    }
    return result
  }
}
