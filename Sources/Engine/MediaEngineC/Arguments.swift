import CMediaEngine
import MediaEngine

/// Runs a call's body and gives its code; a thrown error is returned as a negative number.
func answer(_ body: () throws(EngineErrorCode) -> Int) -> Int32 {
  do throws(EngineErrorCode) {
    return Int32(truncatingIfNeeded: try body())
  } catch {
    return -Int32(truncatingIfNeeded: error.rawValue)
  }
}

/// A string that must be there.
func text(_ pointer: UnsafePointer<CChar>?) throws(EngineErrorCode) -> String {
  guard let pointer else { throw .invalidArgument }
  return String(cString: pointer)
}

/// A string that may be left out.
func optionalText(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

/// The connection that is meant; `nil` for the default one.
func connection(_ pointer: UnsafePointer<media_engine_connection>?) throws(EngineErrorCode) -> RTCConnection? {
  guard let pointer else { return nil }
  let named = try media_engine_connection.read(pointer)
  return RTCConnection(channelID: try text(named.channel), localUID: UInt(named.local_uid))
}

/// A `media_engine_choice`.
func choice(_ value: Int32) throws(EngineErrorCode) -> Bool? {
  switch value {
  case 0: return nil
  case 1: return true
  case -1: return false
  default: throw .invalidArgument
  }
}

/// An enumeration of the engine whose numbers the header shares, 0 being "not set".
func optional<Value: RawRepresentable>(
  _ value: Int32, as: Value.Type
) throws(EngineErrorCode) -> Value? where Value.RawValue == Int {
  guard value != 0 else { return nil }
  guard let found = Value(rawValue: Int(value)) else { throw .invalidArgument }
  return found
}

/// A `media_engine_profile`: the engine's own numbers and one, since 0 is "not set" here.
func profile(_ value: Int32) throws(EngineErrorCode) -> ChannelProfile? {
  guard value != 0 else { return nil }
  guard let found = ChannelProfile(rawValue: Int(value) - 1) else { throw .invalidArgument }
  return found
}

/// What to publish and receive; no options are the defaults.
func channelOptions(
  _ pointer: UnsafePointer<media_engine_channel_options>?
) throws(EngineErrorCode) -> ChannelMediaOptions {
  let given = try media_engine_channel_options.read(pointer)
  return ChannelMediaOptions(
    publishCameraTrack: try choice(given.publish_camera), publishMicrophoneTrack: try choice(given.publish_microphone),
    autoSubscribeAudio: try choice(given.subscribe_audio), autoSubscribeVideo: try choice(given.subscribe_video),
    clientRoleType: try optional(given.role, as: ClientRole.self),
    audienceLatencyLevel: try optional(given.latency_level, as: AudienceLatencyLevel.self),
    enableAudioRecordingOrPlayout: try choice(given.use_audio_devices), channelProfile: try profile(given.profile),
    token: optionalText(given.token))
}
