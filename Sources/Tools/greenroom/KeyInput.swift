import Dispatch
import Glibc
import Synchronization

/// Single keys from a terminal, without Enter and without echo. The terminal is as before when the process ends, by `exit`,
/// by a signal that can be caught, or while it is stopped (Ctrl-Z).
final class KeyInput: @unchecked Sendable {
  // @unchecked: the source is only kept alive here, and cancelled once.

  private let source: any DispatchSourceRead

  /// `nil` if standard input is not a terminal, or not this process's to read.
  ///
  /// - Parameter onKey: called on a queue with each key.
  init?(onKey: @escaping @Sendable (Character) -> Void) {
    let reader = tcgetpgrp(STDIN_FILENO)
    guard isatty(STDIN_FILENO) == 1, reader < 0 || reader == getpgrp(), TerminalMode.enterKeys() else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    source.setEventHandler { [source] in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      // The terminal has gone.
      guard count > 0 else { return source.cancel() }
      for byte in bytes.prefix(count) { onKey(Character(UnicodeScalar(byte))) }
    }
    source.activate()
  }

  deinit {
    source.cancel()
    TerminalMode.leaveKeys()
  }
}

/// The mode of the terminal at standard input. Only functions that signal handlers may call touch it.
private enum TerminalMode {
  nonisolated(unsafe) private static var original = termios()
  nonisolated(unsafe) private static var keys = termios()
  // Written before handlers are installed; read by them.
  nonisolated(unsafe) private static var isChanged = false

  /// Signals that end a process by default and are not handled elsewhere.
  private static let deadly = [SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGALRM]

  static func enterKeys() -> Bool {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return false }
    keys = original
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
    isChanged = true
    atexit { TerminalMode.leaveKeys() }
    for number in deadly { handle(number) { TerminalMode.die($0) } }
    // Whoever started this process may have had them blocked.
    var set = sigset_t()
    sigemptyset(&set)
    for number in deadly { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    handle(SIGTSTP) { _ in TerminalMode.stop() }
    handle(SIGCONT) { _ in TerminalMode.goOn() }
    return tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0
  }

  static func leaveKeys() { if isChanged { tcsetattr(STDIN_FILENO, TCSANOW, &original) } }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(SA_RESTART)
    sigaction(number, &action, nil)
  }

  private static func die(_ number: Int32) {
    leaveKeys()
    signal(number, SIG_DFL)
    raise(number)
  }

  private static func stop() {
    leaveKeys()
    // SIGTSTP stays blocked in its handler; SIGSTOP cannot be.
    raise(SIGSTOP)
  }

  private static func goOn() { if isChanged { tcsetattr(STDIN_FILENO, TCSANOW, &keys) } }
}
