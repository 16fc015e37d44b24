import CMediaEngine
import MediaEngine
import Synchronization

/// The engines of the process by their handles. A handle is looked up, never followed, so that a wrong one does no harm.
enum EngineTable {
  private struct State {
    var lastHandle: UInt = 0
    var boxes: [UInt: EngineBox] = [:]
  }

  private static let state = Mutex(State())

  /// A handle that no engine has had yet.
  static func newHandle() -> UInt {
    state.withLock { state in
      // Steps of 16, so that a handle looks like an address to whoever checks alignment.
      state.lastHandle &+= 16
      return state.lastHandle
    }
  }

  static func add(_ box: EngineBox, handle: UInt) { state.withLock { $0.boxes[handle] = box } }

  /// The engine, or -7.
  static func box(_ handle: OpaquePointer?) throws(EngineErrorCode) -> EngineBox {
    let box = state.withLock { $0.boxes[UInt(bitPattern: handle)] }
    guard let box else { throw .notInitialized }
    return box
  }

  /// Takes the engine out; only one caller gets it.
  static func take(_ handle: OpaquePointer?) throws(EngineErrorCode) -> EngineBox {
    let box = state.withLock { $0.boxes.removeValue(forKey: UInt(bitPattern: handle)) }
    guard let box else { throw .notInitialized }
    return box
  }
}

/// Runs a call on an engine.
func call(_ handle: OpaquePointer?, _ body: (RTCEngine) throws(EngineErrorCode) -> Int) -> Int32 {
  answer { () throws(EngineErrorCode) in try body(try EngineTable.box(handle).engine) }
}

/// Runs a call on a connection of an engine; `nil` is the default connection.
func call(
  _ handle: OpaquePointer?, _ pointer: UnsafePointer<media_engine_connection>?,
  _ body: (RTCEngine, RTCConnection?) throws(EngineErrorCode) -> Int
) -> Int32 {
  answer { () throws(EngineErrorCode) in
    let engine = try EngineTable.box(handle).engine
    return try body(engine, try connection(pointer))
  }
}
