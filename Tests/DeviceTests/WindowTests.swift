import Glibc
import LinuxIO
import MediaBase
import SDLDisplay
import TestSupport
import Testing

/// Windows on SDL's dummy display, one test at a time: the display is chosen by the process's environment.
@Suite(.serialized, .ownThread) struct WindowTests {
  private static func frame(_ width: Int, _ height: Int, rotation: Int = 0) -> VideoFrame {
    let frame = VideoFrame(width: width, height: height)
    frame.planeY.initialize(repeating: 100, count: frame.strideY * height)
    frame.planeU.initialize(repeating: 128, count: frame.strideUV * frame.chromaHeight)
    frame.planeV.initialize(repeating: 128, count: frame.strideUV * frame.chromaHeight)
    frame.rotation = rotation
    return frame
  }

  private func useDisplay(_ driver: String) { setenv("SDL_VIDEODRIVER", driver, 1) }

  /// The dummy display, and a real one where there is one (`xvfb-run` makes one).
  private static let displays = getenv("DISPLAY") == nil ? ["dummy"] : ["dummy", "x11"]

  @Test(arguments: displays)
  func `pictures of changing size and rotation are drawn`(display: String) async {
    useDisplay(display)
    let renderer = WindowRenderer(title: "a")
    for (index, frame) in [Self.frame(320, 180), Self.frame(321, 181), Self.frame(64, 48, rotation: 90)].enumerated() {
      renderer.render(frame)
      #expect(await eventually { renderer.drawnFrames == index + 1 })
    }
    renderer.finish()
    renderer.finish()
    renderer.render(Self.frame(320, 180))
    #expect(renderer.isClosed && renderer.failure == nil)
    #expect(await eventually { displayThreads() == 0 })
  }

  @Test(arguments: displays)
  func `several windows live at once, and the thread ends after the last`(display: String) async {
    useDisplay(display)
    for _ in 0..<3 {
      let renderers = (0..<3).map { WindowRenderer(title: "window \($0)") }
      renderers.forEach { $0.render(Self.frame(160, 90)) }
      #expect(await eventually { renderers.allSatisfy { $0.drawnFrames == 1 } })
      // Drivers of the graphics processor add threads of their own, which take over the name.
      #expect(display == "x11" || displayThreads() == 1)
      renderers.forEach { $0.finish() }
      #expect(await eventually { displayThreads() == 0 })
    }
  }

  @Test func `a renderer that is let go closes its window`() async {
    useDisplay("dummy")
    do {
      let renderer = WindowRenderer(title: "gone")
      renderer.render(Self.frame(160, 90))
      #expect(await eventually { renderer.drawnFrames == 1 })
    }
    #expect(await eventually { displayThreads() == 0 })
  }

  @Test func `without a display the renderer says why, once, and drops pictures`() async {
    useDisplay("no-such-driver")
    let failures = Collected<MediaDeviceError>()
    let renderer = WindowRenderer(title: "b", onFailure: { failures.add($0) })
    renderer.render(Self.frame(160, 90))
    #expect(await eventually { renderer.isClosed })
    renderer.render(Self.frame(160, 90))
    #expect(await eventually { displayThreads() == 0 })
    #expect(renderer.drawnFrames == 0)
    #expect(failures.all.count == 1)
    #expect(renderer.failure?.description.contains("The display") == true)
  }

  @Test func `after a failure windows open again once there is a display`() async {
    useDisplay("dummy")
    let renderer = WindowRenderer(title: "c")
    renderer.render(Self.frame(160, 90))
    #expect(await eventually { renderer.drawnFrames == 1 })
    renderer.finish()
  }

  /// Threads of this process with the display thread's name.
  private func displayThreads() -> Int {
    guard let directory = opendir("/proc/self/task") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      let task = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let file = fopen("/proc/self/task/\(task)/comm", "r") else { continue }
      defer { fclose(file) }
      var name = [UInt8](repeating: 0, count: 16)
      let length = fread(&name, 1, 16, file)
      if String(decoding: name.prefix(length), as: UTF8.self) == "sdl-display\n" { count += 1 }
    }
    return count
  }
}
