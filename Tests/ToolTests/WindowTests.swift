import Foundation
import StoredPictures
import TestSupport
import Testing

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
        "none", "--size", "320x180", "--fps", "10",
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
    #expect(try display.shows([(250, 500, .red), (750, 500, .blue)]), "\(watcher.outputSoFar)")
    #expect(try display.difference(from: StoredPicture("watch-wide"), exceptRows: [0...110]) == nil)
    // A window that is higher than wide: one above the other.
    try display.run(["xdotool", "search", "--name", "show", "windowsize", "400", "700", "windowmove", "0", "0"])
    #expect(try display.shows([(150, 250, .red), (150, 700, .blue)]))
    #expect(try display.difference(from: StoredPicture("watch-high"), exceptRows: [0...60, 480...560]) == nil)
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
