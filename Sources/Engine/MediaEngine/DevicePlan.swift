import MediaBase

/// Which local devices are to run.
struct DevicePlan: Equatable, Sendable {
  /// The camera, and in which format; `nil` for not at all.
  var video: VideoCaptureFormat?
  /// The microphone.
  var audio = false
  /// The speaker, though nobody may be heard.
  var playsEchoTest = false
}
