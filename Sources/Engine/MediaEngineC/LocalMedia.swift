public import CMediaEngine
import MediaEngine

/// See MediaEngine.h.
@c @implementation
public func media_engine_set_video_encoder(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?,
  _ encoder: UnsafePointer<media_engine_video_encoder>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    let wanted = try media_engine_video_encoder.read(encoder)
    var configuration = VideoEncoderConfiguration()
    if wanted.width != 0 { configuration.width = Int(wanted.width) }
    if wanted.height != 0 { configuration.height = Int(wanted.height) }
    if wanted.frame_rate != 0 { configuration.frameRate = Int(wanted.frame_rate) }
    configuration.bitrate = Int(wanted.bitrate_kbps)
    guard let connection else { return engine.setVideoEncoderConfiguration(configuration) }
    return engine.setVideoEncoderConfigurationEx(configuration, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_dual_stream(_ engine: OpaquePointer?, _ enabled: Int32) -> Int32 {
  call(engine) { engine in engine.enableDualStreamMode(enabled != 0) }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_local_video(_ engine: OpaquePointer?, _ enabled: Int32) -> Int32 {
  call(engine) { engine in engine.enableLocalVideo(enabled != 0) }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_local_audio(_ engine: OpaquePointer?, _ enabled: Int32) -> Int32 {
  call(engine) { engine in engine.enableLocalAudio(enabled != 0) }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_video(_ engine: OpaquePointer?, _ enabled: Int32) -> Int32 {
  call(engine) { engine in enabled != 0 ? engine.enableVideo() : engine.disableVideo() }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_audio(_ engine: OpaquePointer?, _ enabled: Int32) -> Int32 {
  call(engine) { engine in enabled != 0 ? engine.enableAudio() : engine.disableAudio() }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_start_preview(_ engine: OpaquePointer?) -> Int32 {
  call(engine) { engine in engine.startPreview() }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_stop_preview(_ engine: OpaquePointer?) -> Int32 {
  call(engine) { engine in engine.stopPreview() }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_mute_local_video(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ mute: Int32
) -> Int32 {
  call(engine, connection) { engine, connection in
    guard let connection else { return engine.muteLocalVideoStream(mute != 0) }
    return engine.muteLocalVideoStreamEx(mute != 0, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_mute_local_audio(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ mute: Int32
) -> Int32 {
  call(engine, connection) { engine, connection in
    guard let connection else { return engine.muteLocalAudioStream(mute != 0) }
    return engine.muteLocalAudioStreamEx(mute != 0, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_adjust_recording_volume(_ engine: OpaquePointer?, _ percent: Int32) -> Int32 {
  call(engine) { engine in engine.adjustRecordingSignalVolume(Int(percent)) }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_push_picture(
  _ engine: OpaquePointer?, _ picture: UnsafePointer<media_engine_picture>?
) -> Int32 {
  answer { () throws(EngineErrorCode) in
    let box = try EngineTable.box(engine)
    let picture = try media_engine_picture.read(picture)
    guard let camera = box.camera else { throw .refused }
    try camera.push(picture)
    return 0
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_push_sound(
  _ engine: OpaquePointer?, _ samples: UnsafePointer<Int16>?, _ frameCount: Int32, _ channelCount: Int32
) -> Int32 {
  answer { () throws(EngineErrorCode) in
    let box = try EngineTable.box(engine)
    guard let microphone = box.microphone else { throw .refused }
    try microphone.push(samples, frameCount: Int(frameCount), channelCount: Int(channelCount))
    return 0
  }
}
