public import CMediaEngine
import MediaEngine

/// See MediaEngine.h.
@c @implementation
public func media_engine_mute_remote_video(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ uid: UInt32, _ mute: Int32
) -> Int32 {
  call(engine, connection) { engine, connection in
    switch (connection, uid) {
    case (let connection?, 0): engine.muteAllRemoteVideoStreamsEx(mute != 0, connection: connection)
    case (nil, 0): engine.muteAllRemoteVideoStreams(mute != 0)
    case (let connection?, _): engine.muteRemoteVideoStreamEx(uid: UInt(uid), mute: mute != 0, connection: connection)
    case (nil, _): engine.muteRemoteVideoStream(uid: UInt(uid), mute: mute != 0)
    }
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_mute_remote_audio(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ uid: UInt32, _ mute: Int32
) -> Int32 {
  call(engine, connection) { engine, connection in
    switch (connection, uid) {
    case (let connection?, 0): engine.muteAllRemoteAudioStreamsEx(mute != 0, connection: connection)
    case (nil, 0): engine.muteAllRemoteAudioStreams(mute != 0)
    case (let connection?, _): engine.muteRemoteAudioStreamEx(uid: UInt(uid), mute: mute != 0, connection: connection)
    case (nil, _): engine.muteRemoteAudioStream(uid: UInt(uid), mute: mute != 0)
    }
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_set_remote_video_stream(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ uid: UInt32, _ low: Int32
) -> Int32 {
  call(engine, connection) { engine, connection in
    let type: VideoStreamType = low != 0 ? .low : .high
    guard let connection else { return engine.setRemoteVideoStreamType(uid: UInt(uid), type: type) }
    return engine.setRemoteVideoStreamTypeEx(uid: UInt(uid), type: type, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_adjust_playback_volume(_ engine: OpaquePointer?, _ percent: Int32) -> Int32 {
  call(engine) { engine in engine.adjustPlaybackSignalVolume(Int(percent)) }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_adjust_user_volume(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ uid: UInt32, _ percent: Int32
) -> Int32 {
  call(engine, connection) { engine, connection in
    guard let connection else { return engine.adjustUserPlaybackSignalVolume(uid: UInt(uid), volume: Int(percent)) }
    return engine.adjustUserPlaybackSignalVolumeEx(uid: UInt(uid), volume: Int(percent), connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_volume_indication(
  _ engine: OpaquePointer?, _ intervalMilliseconds: Int32, _ smooth: Int32
) -> Int32 {
  call(engine) { engine in
    engine.enableAudioVolumeIndication(interval: Int(intervalMilliseconds), smooth: Int(smooth), reportVAD: true)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_take_snapshot(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ uid: UInt32,
  _ path: UnsafePointer<CChar>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    let path = try text(path)
    guard let connection else { return engine.takeSnapshot(uid: UInt(uid), path: path) }
    return engine.takeSnapshotEx(uid: UInt(uid), path: path, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_show_in_window(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ uid: UInt32,
  _ title: UnsafePointer<CChar>?
) -> Int32 {
  call(engine, connection) { engine, connection in
    let canvas = VideoCanvas(uid: UInt(uid), target: optionalText(title).map { .window(title: $0) } ?? .none)
    guard uid != 0 else { return engine.setupLocalVideo(canvas) }
    guard let connection else { return engine.setupRemoteVideo(canvas) }
    return engine.setupRemoteVideoEx(canvas, connection: connection)
  }
}
