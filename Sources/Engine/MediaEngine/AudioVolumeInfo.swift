/// How loud somebody is.
public struct AudioVolumeInfo: Hashable, Sendable {
  /// Who; 0 is the local user.
  public var uid: UInt
  /// 0 (silent) to 255, linear in decibels.
  public var volume: Int
  /// Whether it is a voice: 1 yes, 0 no. Only found out for the local user, if asked for; always 1 for others.
  public var vad: Int
  /// Pitch of the local user's voice in Hz, 0 to 4,000; 0 where there is no voice, and for others.
  public var voicePitch: Double

  /// Makes an entry.
  public init(uid: UInt, volume: Int, vad: Int = 1, voicePitch: Double = 0) {
    self.uid = uid
    self.volume = volume
    self.vad = vad
    self.voicePitch = voicePitch
  }
}
