/// A track of video that this side can publish.
struct LocalVideoTrack: Hashable, Sendable {
  /// 0 is the camera.
  var id: Int

  static let camera = LocalVideoTrack(id: 0)
}
