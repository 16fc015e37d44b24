import MediaBase
import RTPWire

/// Packets of one audio stream on their way from a network that is uneven to a playout that is not.
///
/// The owner inserts packets as they arrive, and pulls whenever it has played all samples of the last pull, whatever its
/// own step is (10 or 20 ms): each pull hands out one packet, or says for how many samples to make something up. Sound is
/// held back as long as the unevenness of the last seconds demands, between `minimumDelay` and `maximumDelay`: if it is
/// played too early, a piece is made up now and then; too late, a packet is left out, a quiet one if possible.
///
/// Everything is bounded, and no input traps.
public struct AudioJitterBuffer: Sendable {
  /// What to play next.
  public enum Output: Hashable, Sendable {
    /// Decode this packet.
    case packet(ReceivedAudioPacket)
    /// Let the decoder make up this many samples at 48 kHz. If `recovery` is not `nil`, it follows the missing packet
    /// directly, and the decoder may find a copy of the missing sound in it (RFC 6716 section 2.1.7).
    case conceal(sampleCount: Int, recovery: ReceivedAudioPacket?)
    /// Nothing to hear for this many samples.
    case silence(sampleCount: Int)
  }

  /// Least delay from the earliest possible arrival to playout.
  public static let minimumDelay = MediaDuration.milliseconds(20)
  /// Greatest delay; packets that come later are lost.
  public static let maximumDelay = MediaDuration.milliseconds(400)
  /// Packets that are kept at most.
  public static let capacity = 128

  static let silenceStep = 480
  /// Made-up sound for this long, then silence.
  static let longestConcealment = 5_760
  /// A jump of timestamps by this much is a new beginning.
  static let longestJump: Int64 = 5 * 48_000

  struct Entry {
    let packet: ReceivedAudioPacket
    let index: Int64
    /// Unwrapped.
    let timestamp: Int64
    let sampleCount: Int
  }

  enum State {
    /// Nothing is played until the first packet has waited long enough.
    case buffering
    case playing
  }

  var state = State.buffering
  /// Ascending by timestamp.
  var entries: [Entry] = []
  var delay = AudioDelayEstimator()
  var sequence = SequenceUnwrapper()
  /// Timestamp and its unwrapped value of the newest packet.
  var newest: (timestamp: UInt32, unwrapped: Int64)?
  /// What is to be played next, unwrapped.
  var next: Int64 = 0
  /// The packet that was played last.
  var last: (index: Int64, sampleCount: Int, isSilence: Bool)?
  /// Samples made up since a packet was played.
  var concealedRun = 0
  /// How much later than wanted sound is played, smoothed, in samples; negative: earlier.
  var excess = 0.0
  /// Pulls until the delay may be changed again.
  var adjustmentPause = 0
  /// Whether the next difference is to be taken as it is.
  var excessIsFresh = true

  /// Counters since the beginning.
  public internal(set) var statistics = AudioJitterStatistics()

  /// Makes an empty buffer.
  public init() {}

  /// Holds sound back by at least `delay`, within `minimumDelay` and `maximumDelay`: for listeners who would rather have
  /// it smooth than soon.
  public mutating func setMinimumDelay(_ delay: MediaDuration) {
    self.delay.setMinimum(delay.milliseconds &* 48)
  }

  /// The delay that is aimed at, from the earliest possible arrival of a packet to its playout.
  public var targetDelay: MediaDuration { AudioDelayEstimator.duration(delay.target) }

  /// Sound that is waiting.
  public var bufferedDuration: MediaDuration {
    AudioDelayEstimator.duration(entries.reduce(0) { $0 &+ Int64($1.sampleCount) })
  }
}
