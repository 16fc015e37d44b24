/// What a token allows in a channel; the raw values are those on the wire.
public enum TokenPrivilege: UInt16, Hashable, CaseIterable, Sendable {
  /// To join the channel.
  case joinChannel = 1
  /// To publish sound.
  case publishAudio = 2
  /// To publish video.
  case publishVideo = 3
  /// To publish data.
  case publishData = 4
}
