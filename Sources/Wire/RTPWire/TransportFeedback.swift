import MediaBase

/// Which packets of a whole transport have come, and when: the feedback that senders control their rate by
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1).
public struct TransportFeedback: Hashable, Sendable {
  /// What became of one packet.
  public struct PacketResult: Hashable, Sendable {
    /// Transport-wide; wraps.
    public var sequenceNumber: UInt16
    /// On the receiver's clock, in steps of 250 µs, modulo 2^24 * 64 ms; `nil` if the packet has not come.
    public var arrivalTime: MediaInstant?

    /// Makes a result.
    public init(sequenceNumber: UInt16, arrivalTime: MediaInstant?) {
      self.sequenceNumber = sequenceNumber
      self.arrivalTime = arrivalTime
    }
  }

  /// The format of these packets, in the header's count field.
  public static let format: UInt8 = 15

  /// Who reports.
  public var senderSSRC: UInt32
  /// Any stream of the transport that is reported on.
  public var mediaSSRC: UInt32
  /// Counts feedback packets; wraps. A receiver of feedback sees by it that one is missing.
  public var feedbackCount: UInt8
  /// One for each sequence number from the first on.
  public var results: [PacketResult]

  /// Makes feedback. Sequence numbers of `results` must go up by one from each to the next.
  public init(senderSSRC: UInt32, mediaSSRC: UInt32, feedbackCount: UInt8, results: [PacketResult]) {
    self.senderSSRC = senderSSRC
    self.mediaSSRC = mediaSSRC
    self.feedbackCount = feedbackCount
    self.results = results
  }

  /// A unit of arrival times on the wire.
  static let tick = MediaDuration.microseconds(250)
  /// Ticks in a unit of the reference time, 64 ms.
  static let ticksPerReference: Int64 = 256
}
