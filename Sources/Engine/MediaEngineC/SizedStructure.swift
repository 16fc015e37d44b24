import CMediaEngine
import MediaEngine

/// A structure of the header, whose first field is its size.
protocol SizedStructure {
  var size: UInt32 { get set }
  init()
  /// The size that it had in version 0.1, of programs that were built then.
  static var firstSize: Int { get }
}

extension media_engine_callbacks: SizedStructure {}
extension media_engine_configuration: SizedStructure {}
extension media_engine_connection: SizedStructure {}
extension media_engine_channel_options: SizedStructure {}
extension media_engine_video_encoder: SizedStructure {}
extension media_engine_encryption: SizedStructure {}
extension media_engine_picture: SizedStructure {}
extension media_engine_statistics: SizedStructure {
  static var firstSize: Int { 48 }
}
extension media_engine_event: SizedStructure {}
extension media_engine_remote_picture: SizedStructure {}
extension media_engine_sound: SizedStructure {}

extension SizedStructure {
  /// The size of this library's own structure.
  static var ownSize: Int { MemoryLayout<Self>.stride }

  static var firstSize: Int { ownSize }

  /// An empty one with its size set.
  static func make() -> Self {
    var made = Self()
    made.size = UInt32(ownSize)
    return made
  }

  /// Reads what a program has passed. Bytes beyond what this library knows must be 0: they would be settings that are lost.
  static func read(_ pointer: UnsafePointer<Self>?) throws(EngineErrorCode) -> Self {
    let (bytes, size) = try checkedBytes(UnsafeRawPointer(pointer))
    for offset in ownSize..<max(ownSize, size) where bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 {
      throw .notSupported
    }
    // Copied byte by byte: nothing says that a program's structure is aligned.
    var value = Self()
    withUnsafeMutableBytes(of: &value) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(ownSize, size)))
    }
    return value
  }

  /// Whether a program's structure can be written to.
  static func check(_ pointer: UnsafePointer<Self>?) throws(EngineErrorCode) {
    _ = try checkedBytes(UnsafeRawPointer(pointer))
  }

  /// Writes to a program's structure what it has room for; its size stays.
  func write(to pointer: UnsafeMutablePointer<Self>?) throws(EngineErrorCode) {
    guard let pointer else { throw .invalidArgument }
    var value = self
    value.size = UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self)
    let room = min(Self.ownSize, Int(value.size))
    withUnsafeBytes(of: &value) {
      UnsafeMutableRawPointer(pointer).copyMemory(
        from: $0.baseAddress ?? UnsafeRawPointer(pointer), byteCount: room)
    }
  }

  private static func checkedBytes(
    _ pointer: UnsafeRawPointer?
  ) throws(EngineErrorCode) -> (UnsafeRawPointer, size: Int) {
    guard let pointer else { throw .invalidArgument }
    let size = Int(pointer.loadUnaligned(as: UInt32.self))
    guard (firstSize...4_096).contains(size) else { throw .invalidArgument }
    return (pointer, size)
  }
}
