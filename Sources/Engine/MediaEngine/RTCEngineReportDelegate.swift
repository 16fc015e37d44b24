import EngineCore

/// The part of `RTCEngineDelegate` that comes again and again: statistics every two seconds, volumes as often as asked for.
/// Every method has an empty default.
public protocol RTCEngineReportDelegate: AnyObject, Sendable {
  /// The connection as a whole, every two seconds.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, reportStatistics report: RTCConnectionReport)
  /// The local video on this connection, every two seconds while it is published.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, localVideoStatistics report: LocalVideoReport)
  /// The local audio on this connection, every two seconds while it is published.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, localAudioStatistics report: LocalAudioReport)
  /// One remote user's video, every two seconds while it is received.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, remoteVideoStatistics report: RemoteVideoReport)
  /// One remote user's audio, every two seconds while it is received.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, remoteAudioStatistics report: RemoteAudioReport)
  /// Who is how loud. Called twice for each interval of `enableAudioVolumeIndication`: once with the local user alone (uid
  /// 0), once with the remote users, the three loudest at most and those left out who have been silent for 20 s.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, reportAudioVolumeIndicationOf speakers: [AudioVolumeInfo],
    totalVolume: Int)
  /// Another remote user is the loudest now. Needs `enableAudioVolumeIndication`.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, activeSpeaker uid: UInt)
  /// How good the ways of a user are, every two seconds: of the local user (uid 0), and of each remote user seen. `tx` is the
  /// way to the server, `rx` the way from it. Of remote users `tx` is what shows in what comes here, and `rx` not known.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, networkQualityOfUID uid: UInt, tx: NetworkQuality,
    rx: NetworkQuality)
  /// What the way from here to the server carries, every two seconds while pictures are sent or something is known of it.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, uplinkNetworkInfoUpdate info: UplinkNetworkInfo)
  /// What the way from the server to here carries, every two seconds once the server has said.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, downlinkNetworkInfoUpdate info: DownlinkNetworkInfo)
  /// By what this machine is connected: told when the engine joins its first channel, and then whenever it changes. The
  /// engine goes over to another network by itself, without rejoining where that is possible.
  func rtcEngine(_ engine: RTCEngine, networkTypeChanged type: NetworkType)
}

extension RTCEngineReportDelegate {
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, reportStatistics report: RTCConnectionReport) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, localVideoStatistics report: LocalVideoReport) {
  }
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, localAudioStatistics report: LocalAudioReport) {
  }
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStatistics report: RemoteVideoReport
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteAudioStatistics report: RemoteAudioReport
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, reportAudioVolumeIndicationOf speakers: [AudioVolumeInfo],
    totalVolume: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, activeSpeaker uid: UInt) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, networkQualityOfUID uid: UInt, tx: NetworkQuality,
    rx: NetworkQuality
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, uplinkNetworkInfoUpdate info: UplinkNetworkInfo
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, downlinkNetworkInfoUpdate info: DownlinkNetworkInfo
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, networkTypeChanged type: NetworkType) {}
}
