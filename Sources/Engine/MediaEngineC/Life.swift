public import CMediaEngine
import MediaEngine

private let versionText = staticText(
  "\(MEDIA_ENGINE_VERSION_MAJOR).\(MEDIA_ENGINE_VERSION_MINOR).\(MEDIA_ENGINE_VERSION_PATCH)")
private let unknownText = staticText("unknown")
private let errorTexts = Dictionary(uniqueKeysWithValues: EngineErrorCode.allCases.map { ($0, staticText("\($0)")) })

/// Text that lives as long as the process.
private struct StaticText: @unchecked Sendable {
  // @unchecked: memory that nobody writes to or frees.
  let start: UnsafePointer<CChar>
}

private func staticText(_ text: String) -> StaticText {
  let bytes = text.utf8CString
  let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { (memory + index).initialize(to: byte) }
  return StaticText(start: UnsafePointer(memory))
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_version() -> UnsafePointer<CChar>! { versionText.start }

/// See MediaEngine.h.
@c @implementation
public func media_engine_error_name(_ code: Int32) -> UnsafePointer<CChar>! {
  let known = EngineErrorCode(rawValue: Int(code.magnitude)).flatMap { errorTexts[$0] }
  return (known ?? unknownText).start
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_create(
  _ configuration: UnsafePointer<media_engine_configuration>?, _ callbacks: UnsafePointer<media_engine_callbacks>?,
  _ engine: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  engine?.pointee = nil
  return answer { () throws(EngineErrorCode) in
    guard let engine else { throw .invalidArgument }
    let description = try media_engine_configuration.read(configuration)
    let told = callbacks == nil ? media_engine_callbacks.make() : try media_engine_callbacks.read(callbacks)
    let handle = EngineTable.newHandle()
    let box = try EngineBox(description, callbacks: told, handle: handle)
    // Before anything can be reported: nothing happens in an engine before the first call.
    EngineTable.add(box, handle: handle)
    engine.pointee = OpaquePointer(bitPattern: handle)
    return 0
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_destroy(_ engine: OpaquePointer?) -> Int32 {
  answer { () throws(EngineErrorCode) in
    try EngineTable.take(engine).destroy()
    return 0
  }
}
