/// How many temporal layers a video may have: its pictures in steps of frame rate, of which the upper ones can be left out.
enum VideoTemporalLayers {
  /// As many as a VP8 packet can name (RFC 7741 section 4.2).
  static let most = 4
}
