import ALSAAudio
import Glibc
import LinuxIO
import MediaBase

/// A whole call by the program itself: a publisher with camera and microphone, a viewer with window and speaker.
enum CallCase {
  private static let frameBuffer = "/tmp/Xvfb_screen0"

  static func run() throws -> String {
    try VirtualCamera.showBars()
    setenv("DISPLAY", ":7", 1)
    setenv("SDL_VIDEODRIVER", "x11", 1)
    // Without a graphics processor OpenGL is computed, which takes half a minute to load in the guest, and all of it to draw.
    setenv("SDL_RENDER_DRIVER", "software", 1)
    setenv("SDL_FRAMEBUFFER_ACCELERATION", "0", 1)
    let display = try ChildProcess(
      ["/usr/bin/Xvfb", ":7", "-screen", "0", "320x180x24", "-fbdir", "/tmp"], output: "/tmp/xvfb.log")
    defer { display.end(SIGTERM) }
    try wait("the display") { access("/tmp/.X11-unix/X7", F_OK) == 0 }
    let program = try tool()
    let server = try ChildProcess([program, "serve", "--dev"], output: "/tmp/serve.log")
    defer { server.end() }
    // What is to be heard: recorded speech, played into the microphone over and over.
    let speech = try ChildProcess([
      "/bin/sh", "-c",
      "while :; do aplay -q -D plughw:Loopback,0,0 /usr/share/sounds/alsa/Front_Center.wav || exit 1; done",
    ])
    defer { speech.end() }
    try SoundTool.waitUntilRunning("p", device: 0, substream: 0)
    let viewer = try ChildProcess(
      [
        program, "watch", "--channel", "lab", "--uid", "2", "--window", "320x180", "--speaker",
        "plughw:CARD=Loopback,DEV=0,SUBDEV=1",
      ], output: "/tmp/watch.log")
    defer { viewer.end() }
    let publisher = try ChildProcess(
      [
        program, "publish", "--channel", "lab", "--uid", "1", "--video", "camera", "--size", "320x180", "--fps", "10",
        "--audio", "mic:plughw:CARD=Loopback,DEV=1,SUBDEV=0",
      ], output: "/tmp/publish.log")
    defer { publisher.end() }
    do {
      let begin = MonotonicClock.now()
      do {
        try wait("the bars in the window", seconds: 60) {
          MonotonicClock.sleep(for: .milliseconds(200))
          return shownBars() >= 7
        }
      } catch {
        throw LabFailure("\(error): \(shownBars()) of 8, \(middleRow())")
      }
      let seen = MonotonicClock.now()
      let level = try heard()
      return "bars in the window after \((seen - begin).milliseconds) ms; sound of \(level) at the speaker"
    } catch {
      throw LabFailure("\(error)\n\(log("publish"))\n\(log("watch"))\n\(log("serve"))")
    }
  }

  private static func tool() throws -> String {
    let path = try HelperProcess.path()
    let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return "\(directory)/greenroom"
  }

  private static func log(_ name: String) -> String {
    guard let file = fopen("/tmp/\(name).log", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 2_000)
    let count = fread(&bytes, 1, bytes.count, file)
    return "\(name): " + String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// The loudest tenth of a second of what the speaker plays, of 32,768.
  private static func heard() throws -> Int {
    try SoundTool.waitUntilRunning("p", device: 0, substream: 1)
    let recorder = SoundRecorder("plughw:CARD=Loopback,DEV=1,SUBDEV=1")
    try recorder.start()
    defer { recorder.source.stop() }
    var loudest = 0.0
    try wait("speech at the speaker", seconds: 60) {
      let samples = recorder.samples.suffix(4_800)
      let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
      loudest = max(loudest, power.squareRoot())
      return loudest > 500
    }
    return Int(loudest)
  }

  /// The colours of the display's middle, for a report.
  private static func middleRow() -> String {
    guard let screen = screen() else { return "no display" }
    return stride(from: screen.width / 16, to: screen.width, by: screen.width / 8).map { x in
      "\(screen.color(x, screen.height / 2))"
    }.joined(separator: " ")
  }

  /// What is on the display, which Xvfb keeps in a file as xwd writes it.
  private struct Screen {
    var bytes: [UInt8]
    var start: Int
    var line: Int
    var width: Int
    var height: Int

    func color(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
      let place = start + y * line + x * 4
      return (Int(bytes[place + 2]), Int(bytes[place + 1]), Int(bytes[place]))
    }
  }

  private static func screen() -> Screen? {
    guard let file = fopen(frameBuffer, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    func number(_ index: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[index * 4 + $1]) } }
    guard count > 100 else { return nil }
    // Header size, then (by xwd's format) width and height at 4 and 5, bytes per line at 12, colours at 19.
    let screen = Screen(
      bytes: bytes, start: number(0) + number(19) * 12, line: number(12), width: number(4), height: number(5))
    guard screen.width > 0, screen.height > 0, screen.line >= screen.width * 4,
      screen.start + screen.line * screen.height <= count
    else { return nil }
    return screen
  }

  /// How many of the eight bars' colours are somewhere on the display.
  private static func shownBars() -> Int {
    guard let screen = screen() else { return 0 }
    return TestPicture.bars.count { bar in
      stride(from: 0, to: screen.height, by: 8).contains { y in
        stride(from: 0, to: screen.width, by: 4).contains { x in
          let (red, green, blue) = screen.color(x, y)
          return abs(red - bar.red) < 20 && abs(green - bar.green) < 20 && abs(blue - bar.blue) < 20
        }
      }
    }
  }
}
