import ControlWire
import EngineCore
import LinuxIO
import MediaBase
import WebSocketIO

/// One connection on the network thread: the core, its UDP socket and its control socket.
final class ConnectionRuntime {
  let handle: ConnectionHandle
  var core: ConnectionCore
  var socket: UDPSocket?
  var socketFamily = TransportAddress.Family.ipv4
  /// Where its datagrams went last, and which address of this machine they left from.
  var destination: TransportAddress?
  var source: TransportAddress?
  var webSocket: WebSocketClient?
  /// Counts control sockets, so that late events of an old one are recognised.
  var webSocketGeneration = 0
  var encoder: VideoEncoderConfiguration
  /// Of the smaller stream; `nil` without one.
  var lowEncoder: VideoEncoderConfiguration?
  /// Whose pictures are sent.
  var video = LocalVideoTrack.camera
  /// When the application was last asked for a key frame that has not come.
  var lastIntraRequest: MediaInstant?
  /// What its sound is made of.
  var sound = SoundMix.microphone
  var nextTimeout: MediaInstant?
  /// Sound that is to be sent later.
  var heldAudio = AudioDelayLine()
  private var toldBitrate: Int?
  private var wasSendingVideo = false
  private var wasSendingAudio = false
  /// Users who have streams open in the pipelines.
  var users: Set<UInt> = []
  var reporter = StatisticsReporter()

  /// What its encoders, or the application's own, would make, in bits per second.
  var videoDemand: Int {
    (video.encodedBitrate ?? encoder.effectiveBitrate + (lowEncoder?.effectiveBitrate ?? 0)) * 1_000
  }

  /// What it sends, and the smaller stream.
  var encoding: VideoSendPipeline.Encoding { VideoSendPipeline.Encoding(configuration: encoder, track: video.id) }
  var lowEncoding: VideoSendPipeline.Encoding? {
    guard let lowEncoder, !video.isEncoded else { return nil }
    return VideoSendPipeline.Encoding(configuration: lowEncoder, isLow: true, track: video.id)
  }

  init(handle: ConnectionHandle, core: consuming ConnectionCore, encoder: VideoEncoderConfiguration) {
    self.handle = handle
    self.core = core
    self.encoder = encoder
  }

  /// What pictures may take, in kilobits per second, no more than the encoders make; `nil` while that is not known.
  var videoBitrate: Int? { core.videoBitrate.map { min($0, videoDemand) / 1_000 } }

  /// What each of its encoders may make, in kilobits per second; `nil` while that is not known. The smaller stream is what
  /// those with little bandwidth see: it gives way last, but never takes more than a quarter of what is too little for both.
  var encoderBitrates: (large: Int, small: Int)? {
    guard let all = videoBitrate else { return nil }
    guard core.canSendLowVideo, let lowEncoder else { return (min(all, encoder.effectiveBitrate), 0) }
    guard all < videoDemand / 1_000 else { return (encoder.effectiveBitrate, lowEncoder.effectiveBitrate) }
    let small = min(lowEncoder.effectiveBitrate, all / 4)
    return (min(all - small, encoder.effectiveBitrate), small)
  }

  /// Whether what pictures may take has changed by more than a little since the last call.
  func takeBitrateChange() -> Bool {
    let bitrate = videoBitrate
    guard bitrate != toldBitrate else { return false }
    if let bitrate, let toldBitrate, bitrate != encoder.effectiveBitrate, abs(bitrate - toldBitrate) * 25 < toldBitrate
    {
      return false
    }
    toldBitrate = bitrate
    return true
  }

  /// Whether the application is to be asked for a key frame: not again while it may be making one.
  func takeIntraRequest(now: MediaInstant) -> Bool {
    if let lastIntraRequest, now - lastIntraRequest < .milliseconds(200) { return false }
    lastIntraRequest = now
    return true
  }

  /// Whether the connection has begun or ended sending a track since the last call.
  func takeSendingChange() -> Bool {
    let (video, audio) = (core.isSendingVideo, core.isSendingAudio)
    defer {
      wasSendingVideo = video
      wasSendingAudio = audio
    }
    return video != wasSendingVideo || audio != wasSendingAudio
  }
}
