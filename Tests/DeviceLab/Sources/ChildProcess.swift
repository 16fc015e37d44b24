import Glibc
import LinuxIO
import MediaBase

/// Another program, which ends with this object.
final class ChildProcess {
  let process: pid_t
  private var isOver = false

  /// - Parameter output: a file for what it prints; `nil` for the lab's own output.
  init(_ words: [String], output: String? = nil) throws {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    // A group of its own, so that what a shell has started ends with it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var started = pid_t()
    let status = posix_spawn(&started, words[0], &actions, &attributes, &pointers, environ)
    try check(status == 0, "\(words[0]) could not be started: \(status)")
    process = started
  }

  /// Waits for its end.
  var status: Int32 {
    if isOver { return -1 }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    isOver = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }

  func send(_ signal: Int32) { if !isOver { kill(-process, signal) } }

  func end(_ signal: Int32 = SIGKILL) {
    send(signal)
    _ = status
  }

  deinit { end() }
}
