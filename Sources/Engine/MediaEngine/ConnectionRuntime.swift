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
  var webSocket: WebSocketClient?
  /// Counts control sockets, so that late events of an old one are recognised.
  var webSocketGeneration = 0
  var encoder: VideoEncoderConfiguration
  var nextTimeout: MediaInstant?
  private var toldBitrate: Int?
  private var wasSendingVideo = false
  private var wasSendingAudio = false
  /// Users who have streams open in the pipelines.
  var users: Set<UInt> = []

  init(handle: ConnectionHandle, core: consuming ConnectionCore, encoder: VideoEncoderConfiguration) {
    self.handle = handle
    self.core = core
    self.encoder = encoder
  }

  /// What pictures may take, in kilobits per second, no more than the encoder makes; `nil` while that is not known.
  var videoBitrate: Int? { core.videoBitrate.map { min($0 / 1_000, encoder.effectiveBitrate) } }

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
