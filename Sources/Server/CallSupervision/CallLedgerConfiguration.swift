public import MediaBase

/// How long a `CallLedger` waits for what, and how much it keeps.
public struct CallLedgerConfiguration: Sendable {
  /// A side that is gone from the channel of a connected call for so long is missing: the other is told.
  public var absenceTimeout = MediaDuration.milliseconds(30_000)
  /// A side that is not in the channel of an accepted call within such a time is missing, too.
  public var connectTimeout = MediaDuration.milliseconds(30_000)
  /// A call that nobody accepts, rejects or cancels ends after such a time.
  public var ringTimeout = MediaDuration.milliseconds(120_000)
  /// An accepted call of which neither side has been seen in its channel here, since its media is elsewhere, ends in the
  /// records after such a time.
  public var unseenTimeout = MediaDuration.seconds(12 * 3_600)
  /// How long after its end reports on a call are taken.
  public var reportWindow = MediaDuration.milliseconds(60_000)
  /// Most calls in memory: those that are open, and those that have ended within `reportWindow` or `absenceTimeout`.
  public var maximumCallCount = 100_000
  /// Most calls of one caller in memory. A further one takes the place of the oldest that has ended, or else of the
  /// oldest that was accepted but not seen here within `connectTimeout`; if there is none, it is not recorded
  /// (`CallLedgerEvent.unrecorded`).
  public var maximumCallCountOfUser = 64
  /// Most calls to one callee in memory, in the same way.
  public var maximumCallCountOfCallee = 1_024
  /// Most bytes of what is reported on calls in memory: each entry counts the bytes of its name and 32 more. Reports beyond
  /// that are refused.
  public var maximumReportByteCount = 256 << 20

  /// The defaults.
  public init() {}
}
