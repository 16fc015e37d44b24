import Glibc
import MediaBase

/// A file that is read or written from front to back, with errors for people. Used by one thread at a time.
package final class StoredFile {
  /// As it was given.
  package let path: String

  private var stream: UnsafeMutablePointer<FILE>?

  /// Opens a file for reading.
  package init(reading path: String) throws(MediaDeviceError) {
    self.path = path
    guard let stream = fopen(path, "rbe") else { throw Self.error(path, "opening it", errno) }
    self.stream = stream
  }

  /// Makes a file, or empties the one that is there.
  package init(writing path: String) throws(MediaDeviceError) {
    self.path = path
    guard let stream = fopen(path, "wbe") else { throw Self.makingError(path, errno) }
    self.stream = stream
  }

  deinit {
    if let stream { fclose(stream) }
  }

  /// Reads up to `count` bytes; fewer only at the end of the file.
  package func read(
    _ count: Int, into destination: UnsafeMutableRawPointer
  ) throws(MediaDeviceError) -> Int {
    guard let stream, count > 0 else { return 0 }
    let got = fread(destination, 1, count, stream)
    if got < count, ferror(stream) != 0 { throw Self.error(path, "reading", errno) }
    return got
  }

  /// The next byte, or `nil` at the end of the file.
  package func readByte() throws(MediaDeviceError) -> UInt8? {
    var byte: UInt8 = 0
    return try read(1, into: &byte) == 1 ? byte : nil
  }

  /// Goes to `offset` bytes from the beginning.
  package func seek(to offset: Int) throws(MediaDeviceError) {
    guard let stream else { return }
    if fseeko(stream, offset, SEEK_SET) != 0 { throw Self.error(path, "going to another place in it", errno) }
  }

  /// Bytes from the beginning to where the next read or write happens.
  package var offset: Int { stream.map { ftello($0) } ?? 0 }

  /// How many bytes the file has; `nil` for pipes and the like.
  package var byteCount: Int? {
    guard let stream else { return nil }
    var status = stat()
    guard fstat(fileno(stream), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Writes all of the bytes.
  package func write(_ bytes: UnsafeRawPointer, count: Int) throws(MediaDeviceError) {
    guard let stream else { throw Self.error(path, "writing", EBADF) }
    if fwrite(bytes, 1, count, stream) != count { throw Self.error(path, "writing", errno) }
  }

  /// Writes all of the bytes.
  package func write(_ bytes: [UInt8]) throws(MediaDeviceError) { try write(bytes, count: bytes.count) }

  /// Writes what is still in memory and closes the file. Idempotent.
  package func close() throws(MediaDeviceError) {
    guard let open = stream else { return }
    stream = nil
    if fclose(open) != 0 { throw Self.error(path, "closing", errno) }
  }

  /// The open file as the C library knows it, for libraries that write by themselves.
  var handle: UnsafeMutablePointer<FILE>? { stream }

  /// Why a file cannot be made, from an error number.
  package static func makingError(_ path: String, _ code: Int32) -> MediaDeviceError {
    guard code == ENOENT else { return error(path, "making it", code) }
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    return .system(name: path, operation: "making it", code: code, detail: "there is no folder \(folder)")
  }

  /// Why a path cannot be read as a file that is gone about in at will; `nil` if it can, or if nothing is there.
  package static func kindProblem(_ path: String) -> MediaDeviceError? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: ""
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    return kind.isEmpty ? nil : .unsupportedFormat(name: path, detail: "it is \(kind), not a file")
  }

  /// An error number as a sentence about a file.
  package static func error(_ path: String, _ operation: String, _ code: Int32) -> MediaDeviceError {
    switch code {
    case ENOENT: return .notFound(name: path)
    case EACCES, EPERM: return .noPermission(name: path)
    default:
      let detail = strerror(code).map { String(cString: $0) } ?? "unknown error"
      return .system(name: path, operation: operation, code: code, detail: detail)
    }
  }
}
