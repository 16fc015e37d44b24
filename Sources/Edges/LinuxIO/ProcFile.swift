import Glibc

/// Small files of /proc and /sys.
enum ProcFile {
  /// The beginning of the file as text; `nil` if it cannot be read.
  static func read(_ path: String, atMost limit: Int = 4_096) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var length = 0
    // Tables come a page at a time.
    while length < limit {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: length), limit - length)
      }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      length += count
    }
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }

  /// The names in a directory, without "." and "..".
  static func names(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Where a symbolic link points.
  static func target(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink(path, $0, text.count) } ?? -1
      }
    }
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
