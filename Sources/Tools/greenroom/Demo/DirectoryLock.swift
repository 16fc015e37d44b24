import Glibc

/// Keeps a directory for one process; the system gives it back when the process ends, however it ends.
final class DirectoryLock {
  private let descriptor: Int32

  init(_ path: String) throws(CommandError) {
    descriptor = open("\(path)/.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw .failure(
        "\(path) cannot be used: \(String(cString: strerror(errno))). Choose a directory you may write to.")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .failure("Another demo is writing to \(path). Wait for its end or choose another directory with --report.")
    }
  }

  deinit { close(descriptor) }
}
