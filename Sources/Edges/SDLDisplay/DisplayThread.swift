import CSDL2
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// The one thread of the process that talks to SDL, which wants its windows and events on the thread that started it.
///
/// It starts with the first window and ends after the last.
final class DisplayThread: Sendable {
  static let shared = DisplayThread()

  private struct State {
    var windows: [WindowState] = []
    var thread: WorkerThread?
    /// Threads that are not done with SDL yet.
    var running: Set<UInt> = []
  }

  /// How long user input waits at most.
  private static let eventInterval = MediaDuration.milliseconds(10)
  /// How long the end of the process waits for windows to close.
  private static let longestExit = MediaDuration.seconds(2)
  /// Registered once there is a window, so that it comes before what graphics drivers have registered: they take away at the
  /// exit what a window that is just closing still uses.
  private static let closesAtExit: Void = { _ = atexit { DisplayThread.shared.closeForExit() } }()

  private let state = Mutex(State())
  /// One entry is enough: it says that there is something to look for.
  private let wakes = BoundedQueue<Void>(capacity: 1)

  /// Has the thread look for the window's picture, and puts the window on its list first if it is new.
  func show(_ window: WindowState) {
    if window.enlist(), !startIfFirst(window) { return window.fail(.withoutThread("The window")) }
    wakeUp()
  }

  /// Puts a window on the list and starts the thread for the first; false if the system gives none.
  private func startIfFirst(_ window: WindowState) -> Bool {
    state.withLock { state in
      state.windows.append(window)
      guard state.windows.count == 1 else { return true }
      // A thread that is just ending has to be done with SDL before the next one starts it again.
      let previous = state.thread
      let thread = WorkerThread(name: "sdl-display") { [self] in
        previous?.join()
        run()
      }
      if thread.hasStarted { state.thread = thread } else { state.windows = [] }
      return thread.hasStarted
    }
  }

  func wakeUp() { wakes.push(()) }

  private func closeForExit() {
    for window in state.withLock({ $0.windows }) { _ = window.finish() }
    wakeUp()
    let end = MonotonicClock.now() + Self.longestExit
    let own = UInt(pthread_self())
    while state.withLock({ !$0.running.subtracting([own]).isEmpty }), MonotonicClock.now() < end {
      MonotonicClock.sleep(for: .milliseconds(2))
    }
  }

  private func run() {
    let own = UInt(pthread_self())
    state.withLock { _ = $0.running.insert(own) }
    defer { state.withLock { _ = $0.running.remove(own) } }
    let failure = Self.startSDL()
    var open: [(state: WindowState, window: DisplayWindow)] = []
    while let windows = remaining() {
      if let failure {
        for window in windows { window.fail(failure) }
      } else {
        open.removeAll { $0.state.isClosed }
        draw(windows, &open)
        handleEvents(&open)
      }
      _ = wakes.pop(waitingAtMost: Self.eventInterval)
    }
    open.removeAll()
    if failure == nil { SDL_QuitSubSystem(SDL_INIT_VIDEO) }
  }

  /// The windows that are not closed; `nil` if there are none, and then the thread has to end.
  private func remaining() -> [WindowState]? {
    state.withLock { state in
      state.windows.removeAll { $0.isClosed }
      return state.windows.isEmpty ? nil : state.windows
    }
  }

  private func draw(_ windows: [WindowState], _ open: inout [(state: WindowState, window: DisplayWindow)]) {
    for state in windows {
      guard let frame = state.takePicture() else { continue }
      do throws(MediaDeviceError) {
        if let existing = open.first(where: { $0.state === state }) {
          try existing.window.draw(frame)
        } else {
          let window = try DisplayWindow(title: state.title, frame: frame, renderMode: state.renderMode)
          _ = Self.closesAtExit
          open.append((state, window))
          state.tellSize(width: window.size.width, height: window.size.height)
          try window.draw(frame)
        }
        state.countDrawn()
      } catch {
        state.fail(error)
      }
    }
  }

  private func handleEvents(_ open: inout [(state: WindowState, window: DisplayWindow)]) {
    var event = SDL_Event()
    while SDL_PollEvent(&event) != 0 {
      guard event.type == SDL_WINDOWEVENT.rawValue,
        let index = open.firstIndex(where: { $0.window.identifier == event.window.windowID })
      else { continue }
      switch UInt32(event.window.event) {
      case SDL_WINDOWEVENT_CLOSE.rawValue:
        open.remove(at: index).state.close()
      case SDL_WINDOWEVENT_SIZE_CHANGED.rawValue, SDL_WINDOWEVENT_EXPOSED.rawValue:
        let (state, window) = open[index]
        window.redraw()
        state.tellSize(width: window.size.width, height: window.size.height)
      default: break
      }
    }
  }

  /// Starts SDL's video on the calling thread; why not, if it cannot.
  private static func startSDL() -> MediaDeviceError? {
    // Signals and the screen saver belong to the application.
    SDL_SetHint("SDL_NO_SIGNAL_HANDLERS", "1")
    SDL_SetHint("SDL_VIDEO_ALLOW_SCREENSAVER", "1")
    SDL_SetHint("SDL_QUIT_ON_LAST_WINDOW_CLOSE", "0")
    guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { return noDisplay(DisplayWindow.errorText) }
    guard isShownToNobody else { return nil }
    SDL_QuitSubSystem(SDL_INIT_VIDEO)
    return noDisplay("there is none")
  }

  /// Whether SDL draws into memory alone, as it does where it finds no display and nobody has named one.
  private static var isShownToNobody: Bool {
    guard getenv("SDL_VIDEODRIVER") == nil, let driver = SDL_GetCurrentVideoDriver() else { return false }
    return ["offscreen", "dummy", "evdev"].contains(String(cString: driver))
  }

  private static func noDisplay(_ reason: String) -> MediaDeviceError {
    .system(
      name: "The display", operation: "opening", code: -1,
      detail: "\(reason); set DISPLAY or WAYLAND_DISPLAY to a running display")
  }
}
