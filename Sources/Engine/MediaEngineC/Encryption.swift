public import CMediaEngine
import MediaEngine

/// See MediaEngine.h.
@c @implementation
public func media_engine_enable_encryption(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?,
  _ encryption: UnsafePointer<media_engine_encryption>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    let configuration = encryption == nil ? nil : try encryptionConfiguration(encryption)
    // What is turned off needs no key.
    let used = configuration ?? EncryptionConfiguration(key: "")
    guard let connection else { return engine.enableEncryption(configuration != nil, configuration: used) }
    return engine.enableEncryptionEx(configuration != nil, configuration: used, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_ratchet_encryption_key(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?
) -> Int32 {
  call(engine, connection) { engine, connection in engine.ratchetEncryptionKey(connection: connection) }
}

private func encryptionConfiguration(
  _ pointer: UnsafePointer<media_engine_encryption>?
) throws(EngineErrorCode) -> EncryptionConfiguration {
  let given = try media_engine_encryption.read(pointer)
  let mode = try optional(given.mode, as: EncryptionMode.self) ?? .aes128GCM2
  let salt = given.salt.map { Array(UnsafeBufferPointer(start: $0, count: EncryptionConfiguration.saltByteCount)) }
  let encryptsData = try choice(given.data_streams) ?? true
  guard given.reserved == 0 else { throw .notSupported }
  return EncryptionConfiguration(
    mode: mode, key: try text(given.key), salt: salt ?? [], isDataStreamEncryptionEnabled: encryptsData)
}
