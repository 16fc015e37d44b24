import CFFmpeg
import Glibc
import MediaBase

/// FFmpeg's error numbers as errors for people.
enum MovieError {
  /// The library's own numbers are four letters, far below any of the system's.
  private static let lowestSystemError: Int32 = -10_000

  /// The library writes to standard error what its functions' results tell anyway. Its value is of no use; asking for it
  /// ends that once.
  static let silence: Void = av_log_set_level(AV_LOG_QUIET)

  /// What is wrong with a file, from what one of the library's functions gave back.
  static func error(_ path: String, _ operation: String, _ code: Int32) -> MediaDeviceError {
    var text = [UInt8](repeating: 0, count: 128)
    text.withUnsafeMutableBytes { _ = av_strerror(code, $0.baseAddress, $0.count) }
    let detail = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    switch cff_system_error(code) {
    case ENOENT: return .notFound(name: path)
    case EACCES, EPERM: return .noPermission(name: path)
    default:
      // Readers call what makes no sense to them an invalid argument.
      guard code < lowestSystemError || cff_system_error(code) == EINVAL else {
        return .system(name: path, operation: operation, code: -code, detail: detail)
      }
      return .unsupportedFormat(name: path, detail: "\(operation) failed (\(detail))")
    }
  }

  /// Throws if `code` is an error.
  static func check(_ path: String, _ operation: String, _ code: Int32) throws(MediaDeviceError) {
    if code < 0 { throw error(path, operation, code) }
  }
}
