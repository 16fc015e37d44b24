import Glibc
import PictureFiles

extension FuzzedParser {
  /// Reads all pictures of a file, once by reading and once by skipping.
  static func readY4M(_ input: [UInt8]) {
    InputFile.shared.replace(input)
    guard let reader = try? Y4MReader(path: InputFile.shared.path) else { return }
    var count = 0
    while let picture = try? reader.next() {
      count += 1
      precondition(picture.width == reader.header.width && picture.height == reader.header.height)
    }
    try? reader.rewind()
    var skipped = 0
    while (try? reader.skip()) == true { skipped += 1 }
    precondition(skipped >= count, "fewer pictures can be skipped than read")
  }
}

/// A file without a name in any folder: readers open it through the process's descriptor, and it goes with the process.
private struct InputFile {
  static let shared = InputFile()

  let path: String
  private let descriptor: CInt

  private init() {
    var name = Array("/tmp/greenroom-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    precondition(descriptor >= 0, "no file can be made in /tmp")
    unlink(name)
    path = "/proc/self/fd/\(descriptor)"
  }

  func replace(_ bytes: [UInt8]) {
    precondition(ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }
}
