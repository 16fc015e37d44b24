import Foundation
import MediaBase
import PictureFiles
import StoredPictures

/// A display without a screen, and what is to be seen on it.
final class VirtualDisplay {
  private let server = Process()
  private let scratch: ScratchDirectory
  private(set) var name = ""

  /// Servers that look for a free number at once may take the same: one after the other, also among several runs of tests.
  init(_ scratch: ScratchDirectory) throws {
    self.scratch = scratch
    let lock = open("/tmp/greenroom-tests-display.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    defer { close(lock) }
    flock(lock, LOCK_EX)
    let pipe = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = [
      "Xvfb", "-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset",
    ]
    server.standardOutput = pipe
    server.standardError = FileHandle.nullDevice
    try server.run()
    let number = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
    for _ in 0..<100 {
      if try run(["xdotool", "getdisplaygeometry"]) == 0 { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw CocoaError(.executableLoad)
  }

  deinit {
    server.terminate()
    server.waitUntilExit()
  }

  var environment: [String: String] {
    ["DISPLAY": name, "SDL_VIDEODRIVER": "x11", "SDL_RENDER_DRIVER": "software"]
  }

  /// Runs a program on this display; its exit status.
  @discardableResult func run(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Asks a window to close, as the cross in its corner does (ICCCM section 4.2.8.1).
  func closeWindow(_ title: String) throws {
    let script = """
      import ctypes, subprocess
      window = int(subprocess.check_output(["xdotool", "search", "--name", "\(title)"]).split()[0])
      x = ctypes.CDLL("libX11.so.6")
      x.XOpenDisplay.restype = ctypes.c_void_p
      x.XInternAtom.restype = ctypes.c_ulong
      display = ctypes.c_void_p(x.XOpenDisplay(None))
      event = (ctypes.c_long * 24)()
      event[0], event[4], event[6] = 33, window, 32
      event[5] = x.XInternAtom(display, b"WM_PROTOCOLS", 0)
      event[7] = x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
      x.XSendEvent(display, ctypes.c_ulong(window), 0, 0, event)
      x.XCloseDisplay(display)
      """
    try run(["python3", "-c", script])
  }

  func screenshot() throws -> VideoFrame {
    let path = scratch.file("screen.png")
    try run(["ffmpeg", "-y", "-f", "x11grab", "-video_size", "1280x720", "-i", name, "-frames:v", "1", path])
    return try PNGFile.read(path)
  }

  /// Looks until the colours at these places (in thousandths of the screen's sides) are the wanted ones.
  func shows(_ wanted: [(x: Int, y: Int, color: Color)]) throws -> Bool {
    for _ in 0..<100 {
      let screen = try screenshot()
      let isShown = wanted.allSatisfy { place in
        let (x, y) = (place.x * screen.chromaWidth / 1_000, place.y * screen.chromaHeight / 1_000)
        return place.color.isNear(screen.planeU[y * screen.strideUV + x], screen.planeV[y * screen.strideUV + x])
      }
      if isShown { return true }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return false
  }

  /// Looks until the screen looks like a stored picture; what differs in the end, if anything.
  func difference(from stored: StoredPicture, exceptRows rows: [ClosedRange<Int>] = []) throws -> String? {
    var difference: String?
    // Nothing tells when all is painted but the stored picture.
    if StoredPicture.isStoring { Thread.sleep(forTimeInterval: 2) }
    for _ in 0..<50 {
      difference = try stored.difference(from: screenshot(), exceptRows: rows)
      if difference == nil { return nil }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return difference
  }

  /// Waits for a window with this title.
  func hasWindow(_ title: String) throws -> Bool {
    for _ in 0..<300 {
      if try run(["xdotool", "search", "--name", title]) == 0 { return true }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return false
  }

  enum Color {
    case red
    case blue

    /// Red is Cb 90 and Cr 240 in BT.601, blue Cb 240 and Cr 110.
    func isNear(_ u: UInt8, _ v: UInt8) -> Bool { self == .red ? v > 200 && u < 120 : u > 200 && v < 140 }
  }
}
