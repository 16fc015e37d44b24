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
  private var wasSendingVideo = false
  private var wasSendingAudio = false
  /// Users who have streams open in the pipelines.
  var users: Set<UInt> = []

  init(handle: ConnectionHandle, core: consuming ConnectionCore, encoder: VideoEncoderConfiguration) {
    self.handle = handle
    self.core = core
    self.encoder = encoder
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
