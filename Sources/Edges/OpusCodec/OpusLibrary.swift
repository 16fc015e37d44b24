import COpus

/// libopus's return codes in our words.
enum OpusLibrary {
  static func error(_ operation: String, _ code: Int32) -> OpusCodecError {
    .library(operation: operation, code: code, detail: opus_strerror(code).map { String(cString: $0) } ?? "unknown")
  }

  static func check(_ operation: String, _ code: Int32) throws(OpusCodecError) {
    guard code == OPUS_OK else { throw error(operation, code) }
  }

  static func checkChannelCount(_ count: Int) throws(OpusCodecError) {
    guard count == 1 || count == 2 else {
      throw .invalidSetting(detail: "it has 1 or 2 channels, not \(count)")
    }
  }
}
