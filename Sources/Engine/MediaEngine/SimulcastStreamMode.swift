/// Whether a second, smaller stream of the camera is sent beside the first. The raw values are those of the SDKs.
public enum SimulcastStreamMode: Int, Sendable {
  /// Once a host, or somebody in a communication channel, wants it (`RTCEngine.setRemoteVideoStreamType(uid:type:)`), until
  /// the channel is left. Viewers in an audience receive it then, too.
  case autoSimulcastStream = -1
  /// Never.
  case disableSimulcastStream = 0
  /// Always.
  case enableSimulcastStream = 1
}
