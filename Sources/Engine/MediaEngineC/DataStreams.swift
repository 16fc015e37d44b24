public import CMediaEngine
import MediaEngine

/// See MediaEngine.h.
@c @implementation
public func media_engine_create_data_stream(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?
) -> Int32 {
  call(engine, connection) { engine, connection in
    guard let connection else { return engine.createDataStream() }
    return engine.createDataStreamEx(connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_send_stream_message(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ streamID: Int32,
  _ data: UnsafeRawPointer?, _ size: Int
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    guard let data, size != 0 else { throw .invalidArgument }
    // What is too long is not even read; size_t comes as a signed number.
    guard UInt(bitPattern: size) <= 1_024 else { throw .sizeTooLarge }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    guard let connection else { return engine.sendStreamMessage(streamID: Int(streamID), data: bytes) }
    return engine.sendStreamMessageEx(streamID: Int(streamID), data: bytes, connection: connection)
  }
}
