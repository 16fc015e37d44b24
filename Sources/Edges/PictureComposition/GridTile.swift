import MediaBase

/// One person in a grid.
public struct GridTile: Sendable {
  /// The newest picture; without one the name stands in the middle.
  public var picture: VideoFrame?
  /// Shown at the lower edge; may be empty.
  public var name: String
  /// Loudness, 0 to 255; shown as a bar.
  public var level: Int
  /// Whether the person's sound is muted; shown as a crossed microphone.
  public var isMuted: Bool
  /// How the picture fills its place.
  public var renderMode: VideoRenderMode
  /// Whether left and right are exchanged.
  public var isMirrored: Bool

  /// Makes a tile.
  public init(
    picture: VideoFrame? = nil, name: String = "", level: Int = 0, isMuted: Bool = false,
    renderMode: VideoRenderMode = .hidden, isMirrored: Bool = false
  ) {
    self.picture = picture
    self.name = name
    self.level = level
    self.isMuted = isMuted
    self.renderMode = renderMode
    self.isMirrored = isMirrored
  }
}
