import Glibc
import LinuxIO
import MediaBase
import V4L2Capture

/// This program again, as another process that is in the way.
final class HelperProcess {
  let process: pid_t
  private var isOver = false

  init(_ arguments: [String], user: uid_t? = nil) throws {
    var words = ["/proc/self/exe"] + arguments
    if let user { words = ["/usr/bin/setpriv", "--reuid=\(user)", "--clear-groups"] + [try Self.path()] + arguments }
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var started = pid_t()
    let status = posix_spawn(&started, words[0], nil, nil, &pointers, environ)
    try check(status == 0, "\(words[0]) could not be started: \(status)")
    process = started
  }

  private static func path() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let length = readlink("/proc/self/exe", &bytes, bytes.count)
    try check(length > 0, "the program's path is not known")
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }

  /// Waits for its end.
  var status: Int32 {
    var status: Int32 = 0
    waitpid(process, &status, 0)
    isOver = true
    return status >> 8 & 0xFF
  }

  func end() {
    guard !isOver else { return }
    kill(process, SIGKILL)
    _ = status
  }

  deinit { end() }
}

extension DeviceLab {
  /// Uses the camera until killed.
  static func holdCamera() -> Never {
    let camera = CameraRecorder()
    do throws(MediaDeviceError) { try camera.start(320, 180) } catch { exit(1) }
    while true { sleep(1) }
  }

  /// Tries to start the camera: 13 if that is not permitted.
  static func openCamera() -> Never {
    let camera = CameraRecorder(path: "/dev/video0")
    do throws(MediaDeviceError) {
      try camera.start(320, 180)
    } catch {
      if case .noPermission = error { exit(13) }
      exit(1)
    }
    exit(0)
  }
}
