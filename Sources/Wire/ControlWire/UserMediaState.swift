/// How a user's application has set its sending: why a track is not published. The bits are those of the SDKs.
public struct UserMediaState: OptionSet, Hashable, Codable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a state of bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The microphone is muted.
  public static let muteAudio = UserMediaState(rawValue: 1)
  /// The camera is muted.
  public static let muteVideo = UserMediaState(rawValue: 2)
  /// The video module is on.
  public static let enableVideo = UserMediaState(rawValue: 16)
  /// The camera is on.
  public static let enableLocalVideo = UserMediaState(rawValue: 256)

  /// Nothing muted, everything on.
  public static let usual: UserMediaState = [.enableVideo, .enableLocalVideo]

  /// What a user who says nothing of itself seems to have set.
  public static func assumed(of published: TrackFlags) -> UserMediaState {
    var state = usual
    if !published.audio { state.insert(.muteAudio) }
    if !published.video { state.insert(.muteVideo) }
    return state
  }
}
