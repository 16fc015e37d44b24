import MediaBase

/// The voices of a channel, of which only some are forwarded.
struct SpeakerGroup {
  /// A voice must be so much louder than another that talks to take its place, in 1/256 dB.
  static let advantage: Int32 = 6 * 256
  /// How often it is looked for voices that are gone, at most.
  static let absenceInterval = MediaDuration.milliseconds(200)

  /// The channel.
  let number: UInt64
  /// Peers of the channel that are here.
  var peerCount = 0
  /// The numbers of the streams that are forwarded.
  var heard: [Int32] = []
  var nextAbsenceCheck = MediaInstant.zero
}
