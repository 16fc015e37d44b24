/// A track of video that this side can publish.
struct LocalVideoTrack: Hashable, Sendable {
  /// 0 is the camera.
  var id: Int
  /// What the application's encoder makes, in kilobits per second; `nil` if pictures are encoded here.
  var encodedBitrate: Int?

  static let camera = LocalVideoTrack(id: 0)

  var isEncoded: Bool { encodedBitrate != nil }
}
