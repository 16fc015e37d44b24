/// Which of a user's two video streams is received. The raw values are those of the SDKs.
public enum VideoStreamType: Int, Sendable {
  /// The large picture.
  case high = 0
  /// The small picture, of users who send two streams; of others their only one.
  case low = 1
  /// The middle picture, of browsers that send three; of others the large one.
  case layer1 = 4
}

extension VideoStreamType {
  /// What an encoding is called; `layer` 0 is the smallest of `count`.
  init(layer: Int, of count: Int) {
    self = layer >= count - 1 ? .high : layer <= 0 ? .low : .layer1
  }
}
