/// A choice of a user's tracks.
public struct ForwardedTracks: Hashable, Sendable {
  /// The Opus track.
  public var audio: Bool
  /// The VP8 track.
  public var video: Bool

  /// Makes a choice.
  public init(audio: Bool, video: Bool) {
    self.audio = audio
    self.video = video
  }

  /// Neither track.
  public static let none = ForwardedTracks(audio: false, video: false)

  subscript(kind: TrackKind) -> Bool { kind == .audio ? audio : video }
}
