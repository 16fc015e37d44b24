/// Which of the local tracks the application wants to publish on a connection, as far as options have said.
struct PublishedTracks: Equatable, Sendable {
  var camera = true
  var customVideo = false
  var encodedVideo = false
  var customVideoTrackID = 0
  var microphone = true
  var customAudio = false
  var customAudioTrackID = 0

  /// What is not set in `options` is what a join takes: the camera, unless another video is asked for, and the microphone.
  init(_ options: ChannelMediaOptions) { merge(options) }

  /// Takes over what is set in `options`. There is one video, the one that was asked for last.
  mutating func merge(_ options: ChannelMediaOptions) {
    customVideoTrackID = options.customVideoTrackID ?? customVideoTrackID
    let videos = [options.publishCameraTrack, options.publishCustomVideoTrack, options.publishEncodedVideoTrack]
    if videos.contains(true) { (camera, customVideo, encodedVideo) = (false, false, false) }
    camera = options.publishCameraTrack ?? camera
    customVideo = options.publishCustomVideoTrack ?? customVideo
    encodedVideo = options.publishEncodedVideoTrack ?? encodedVideo
    microphone = options.publishMicrophoneTrack ?? microphone
    customAudio = options.publishCustomAudioTrack ?? customAudio
    customAudioTrackID = options.publishCustomAudioTrackID ?? customAudioTrackID
  }

  /// A track that is gone is published nowhere.
  mutating func forgetVideo(_ trackID: Int) {
    if customVideoTrackID == trackID { (customVideo, encodedVideo) = (false, false) }
  }

  mutating func forgetAudio(_ trackID: Int) {
    if customAudioTrackID == trackID { customAudio = false }
  }

  /// The track of the application's own sound; `nil` if none is published.
  var audioTrackID: Int? { customAudio ? customAudioTrackID : nil }

  /// Where the video comes from; `nil` for the camera, or if there is none.
  var videoTrackID: Int? { customVideo || encodedVideo ? customVideoTrackID : nil }
}
