import ControlWire
import EngineCore
import LinuxIO
import MediaBase

extension EngineRuntime {
  /// Enters a connection into the intent and has the network thread make it.
  func join(
    _ handle: ConnectionHandle, token: String?, role: ClientRole, options: ChannelMediaOptions,
    encryption: FrameEncryptionSettings?, _ intent: inout EngineIntent, _ parts: Parts
  ) {
    intent.retryDevices(
      for: ChannelMediaOptions(
        publishCameraTrack: options.publishCameraTrack ?? true,
        publishMicrophoneTrack: options.publishMicrophoneTrack ?? true))
    var connection = ConnectionIntent(
      handle: handle, options: options, role: role, profile: options.channelProfile ?? intent.profile,
      token: token ?? "", latencyLevel: handle.isDefault ? intent.latencyLevel : .ultraLowLatency)
    if options.defaultVideoStreamType == nil { connection.streamType = intent.defaultStreamType }
    // As if it had been turned off in the channel.
    connection.waitsForRepublish = !intent.isLocalVideoEnabled
    if handle.isDefault {
      (connection.isVideoMuted, connection.isAudioMuted) = (intent.isNextVideoMuted, intent.isNextAudioMuted)
      (intent.isNextVideoMuted, intent.isNextAudioMuted) = (false, false)
    }
    let wishes = intent.wishes(of: connection)
    connection.posted = wishes
    connection.postedEncoder = intent.encoder
    connection.encryption = encryption
    connection.postedEncryption = connection.encryption
    connection.postedLowEncoder = intent.lowEncoder(of: connection)
    intent.connections.append(connection)
    var description = ConnectionConfiguration(
      channel: handle.requested.channelID, uid: handle.requested.localUID, token: wishes.token,
      profile: connection.profile, role: wishes.role, publish: wishes.publish, subscribe: wishes.subscribe,
      mediaState: wishes.mediaState, seed: UInt64.random(in: .min ... .max), timing: configuration.timing)
    description.wantsLowVideo = intent.simulcastMode != .disableSimulcastStream
    description.isAudioFilterable = wishes.isAudioFilterable
    description.encryption = connection.encryption
    description.wallClockOffset = WallClock.offset()
    parts.network.join(
      handle, description, encoder: intent.encoder, lowEncoder: connection.postedLowEncoder)
  }

  /// Has the network thread leave; the connection's name is free again at once.
  func leave(_ handle: ConnectionHandle, _ parts: Parts) {
    handle.connectionState = .disconnected
    parts.network.leave(handle.id)
    parts.videoReceive.post(.unbindConnection(handle.isDefault ? nil : handle.requested))
  }
}
