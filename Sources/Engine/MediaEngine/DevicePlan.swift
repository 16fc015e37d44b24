import MediaBase

/// Which local devices are to run.
struct DevicePlan: Equatable, Sendable {
  /// The camera, and in which format; `nil` for not at all.
  var video: VideoCaptureFormat?
  /// The microphone.
  var audio = false
  /// Grow whenever a camera or microphone that has failed is to be tried again.
  var videoAttempt = 0
  var audioAttempt = 0
  /// The speaker, though nobody may be heard.
  var playsEchoTest = false
}
