public import MediaBase

/// A login for which this server wants to be known to the others, or a session that goes on.
///
/// Redis gives each claim a number, higher than that of every claim of the same uid that it has heard of before. The claim with
/// the highest number stands, at whichever server it was made; all servers agree on that, whatever of it reaches them first.
public struct SignalClaim: Hashable, Sendable {
  /// Whose login.
  public var uid: UInt
  /// Counts the claims of this server, from 1.
  public var count: UInt64
  /// The number that Redis has given it; `nil` if none is known.
  public var number: UInt64?
  /// When it was made.
  public var time: MediaInstant

  /// Makes a claim.
  public init(uid: UInt, count: UInt64, number: UInt64? = nil, time: MediaInstant) {
    self.uid = uid
    self.count = count
    self.number = number
    self.time = time
  }
}
