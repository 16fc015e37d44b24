import CMediaEngine
import MediaEngine

/// See MediaEngine.h.
@c @implementation
public func media_engine_start_echo_test(_ engine: OpaquePointer?, _ intervalSeconds: Int32) -> Int32 {
  call(engine) { engine in engine.startEchoTest(intervalInSeconds: Int(intervalSeconds)) }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_stop_echo_test(_ engine: OpaquePointer?) -> Int32 {
  call(engine) { engine in engine.stopEchoTest() }
}
