import Foundation
import MediaBase
import PictureFiles
import TestSupport
import Testing

/// A display without a screen, and what is to be seen on it.
private final class VirtualDisplay {
  private let server = Process()
  private let scratch: ScratchDirectory
  private(set) var name = ""

  init(_ scratch: ScratchDirectory) throws {
    self.scratch = scratch
    let pipe = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
    server.standardOutput = pipe
    server.standardError = FileHandle.nullDevice
    try server.run()
    let number = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit {
    server.terminate()
    server.waitUntilExit()
  }

  var environment: [String: String] {
    ["DISPLAY": name, "SDL_VIDEODRIVER": "x11", "SDL_RENDER_DRIVER": "software"]
  }

  func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
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

  enum Color {
    case red
    case blue

    /// Red is Cb 90 and Cr 240 in BT.601, blue Cb 240 and Cr 110.
    func isNear(_ u: UInt8, _ v: UInt8) -> Bool { self == .red ? v > 200 && u < 120 : u > 200 && v < 140 }
  }
}

@Suite("Windows on a display", .serialized, .ownThread)
struct WindowTests {
  @Test("everybody is in one window that lays itself out by its shape; when it is closed, the rest goes on")
  func grid() throws {
    let scratch = try ScratchDirectory()
    let display = try VirtualDisplay(scratch)
    let server = try ServerProcess()
    var publishers: [ToolProcess] = []
    for (uid, color) in [(1, "red"), (2, "blue")] {
      let picture = scratch.file("\(color).png")
      try display.run(["ffmpeg", "-f", "lavfi", "-i", "color=\(color):s=320x180", "-frames:v", "1", picture])
      let publisher = try ToolProcess([
        "publish", "--server", server.url, "--channel", "show", "--uid", "\(uid)", "--video", picture, "--audio",
        "tone",
        "--size", "320x180", "--fps", "10",
      ])
      #expect(publisher.prints("first picture sent"))
      publishers.append(publisher)
    }
    let watcher = try ToolProcess(
      [
        "watch", "--server", server.url, "--channel", "show", "--uid", "3", "--window", "--snapshot",
        scratch.file("all.jpg"),
      ], environment: display.environment)
    #expect(watcher.prints("first picture of 1") && watcher.prints("first picture of 2"))
    // The order is that of joining, as the server tells it.
    let isRedLeft = try display.shows([(250, 500, .red), (750, 500, .blue)])
    #expect(try isRedLeft || display.shows([(250, 500, .blue), (750, 500, .red)]), "\(watcher.outputSoFar)")
    let (first, second): (VirtualDisplay.Color, VirtualDisplay.Color) = isRedLeft ? (.red, .blue) : (.blue, .red)
    // A window that is higher than wide: one above the other.
    try display.run(["xdotool", "search", "--name", "show", "windowsize", "400", "700", "windowmove", "0", "0"])
    #expect(try display.shows([(150, 250, first), (150, 700, second)]))
    try display.closeWindow("show")
    #expect(watcher.prints("the window was closed"))
    watcher.terminate()
    let outcome = watcher.finish()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let snapshot = try Data(contentsOf: URL(fileURLWithPath: scratch.file("all.jpg")))
    #expect(snapshot.prefix(3) == Data([0xFF, 0xD8, 0xFF]))
    for publisher in publishers {
      publisher.terminate()
      #expect(publisher.finish().status == 0)
    }
    #expect(server.end() == 0)
  }

  @Test("without a display the viewer says so, and watches on")
  func noDisplay() throws {
    let server = try ServerProcess()
    let publisher = try ToolProcess([
      "publish", "--server", server.url, "--channel", "show", "--uid", "1", "--video", "pattern", "--audio", "none",
    ])
    #expect(publisher.prints("first picture sent"))
    let watcher = try ToolProcess(
      ["watch", "--server", server.url, "--channel", "show", "--uid", "2", "--window", "--seconds", "3"],
      environment: ["DISPLAY": ":nowhere", "WAYLAND_DISPLAY": "nowhere", "SDL_VIDEODRIVER": "x11"])
    let outcome = watcher.finish()
    #expect(outcome.status == 0 && outcome.errors.contains("No window"), "\(outcome)")
    publisher.terminate()
    _ = publisher.finish()
    #expect(server.end() == 0)
  }
}
