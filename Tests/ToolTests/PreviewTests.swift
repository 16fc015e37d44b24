import Foundation
import LinuxIO
import MediaBase
import PictureFiles
import StoredPictures
import TestSupport
import Testing

@Suite("A preview of camera and microphone", .serialized, .ownThread)
struct PreviewTests {
  /// A picture that has no symmetry, so that a mirror shows.
  private static func writePicture(_ path: String) throws {
    let picture = VideoFrame(width: 640, height: 360)
    for row in 0..<360 {
      for column in 0..<640 {
        picture.planeY[row * picture.strideY + column] = UInt8(60 + column / 5)
        picture.planeU[row / 2 * picture.strideUV + column / 2] = row < 180 ? 90 : 160
        picture.planeV[row / 2 * picture.strideUV + column / 2] = column < 200 ? 190 : 110
      }
    }
    try PNGFile.write(picture, to: path)
  }

  @Test("the picture is shown as in a mirror, or as it is; the program ends when its window is closed")
  func picture() throws {
    let scratch = try ScratchDirectory()
    let display = try VirtualDisplay(scratch)
    let file = scratch.file("camera.png")
    try Self.writePicture(file)
    for (name, more) in [("preview-mirrored", [String]()), ("preview-unmirrored", ["--unmirrored"])] {
      let preview = try ToolProcess(
        ["preview", "--video", file, "--audio", "none", "--fps", "10"] + more, environment: display.environment)
      #expect(preview.prints("first picture, 640x360"))
      #expect(try display.hasWindow("greenroom preview"))
      #expect(try display.difference(from: StoredPicture(name)) == nil)
      try display.closeWindow("greenroom preview")
      let outcome = preview.finish()
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output.contains("the window was closed"))
    }
  }

  @Test("a loud microphone shows as a green bar on the picture, and a silent one does not")
  func level() throws {
    let scratch = try ScratchDirectory()
    let display = try VirtualDisplay(scratch)
    let grey = scratch.file("grey.png")
    try display.run(["ffmpeg", "-f", "lavfi", "-i", "color=gray:s=640x360", "-frames:v", "1", grey])
    for (source, isLoud) in [("sine=frequency=440:duration=2", true), ("anullsrc=duration=2", false)] {
      let sound = scratch.file("\(isLoud).wav")
      try display.run(["ffmpeg", "-f", "lavfi", "-i", source, "-t", "2", "-ar", "48000", "-ac", "1", sound])
      let preview = try ToolProcess(
        ["preview", "--video", grey, "--audio", sound, "--fps", "10"], environment: display.environment)
      #expect(preview.prints("first picture"))
      #expect(!isLoud || preview.prints("first sound"))
      #expect(try display.hasWindow("greenroom preview"))
      #expect(try showsGreen(display, isLoud))
      preview.terminate()
      let outcome = preview.finish()
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(outcome.output.contains(isLoud ? " dB" : "at silence"), "\(outcome.output)")
    }
  }

  /// Looks until there is the meter's green in the lower left of the window, or for a while that there is none.
  private func showsGreen(_ display: VirtualDisplay, _ isWanted: Bool) throws -> Bool {
    for _ in 0..<(isWanted ? 100 : 5) {
      let screen = try display.screenshot()
      let count = (0..<screen.chromaHeight * screen.strideUV).count { index in
        index % screen.strideUV < screen.chromaWidth && screen.planeV[index] < 95 && screen.planeU[index] < 115
      }
      if count > 10 { return isWanted }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return !isWanted
  }

  @Test(
    "without a display the program says so and what to do, and ends with 1",
    arguments: [
      ["DISPLAY=:nowhere", "WAYLAND_DISPLAY=nowhere", "SDL_VIDEODRIVER=x11"],
      ["-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "SDL_VIDEODRIVER"],
    ])
  func noDisplay(_ environment: [String]) throws {
    let preview = try ToolProcess(
      ["preview", "--video", "pattern", "--audio", "tone", "--seconds", "30"], launcher: ["env"] + environment)
    let outcome = preview.finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("No window") && outcome.errors.contains("DISPLAY"), "\(outcome.errors)")
  }

  @Test("a camera that is not there is told, and ends the program; a microphone that is not there is told")
  func noDevices() throws {
    let none = try ToolProcess.run(["preview", "--video", "camera:/dev/video-none", "--audio", "none"])
    #expect(none.status == 1 && none.output.isEmpty)
    #expect(none.errors.contains("No picture: Camera /dev/video-none does not exist"), "\(none.errors)")
    let mute = try ToolProcess.run(["preview", "--video", "none", "--audio", "mic:no-such-device"])
    #expect(mute.status == 1)
    #expect(mute.errors.contains("No sound: Microphone 'no-such-device' does not exist"), "\(mute.errors)")
    let display = try VirtualDisplay(ScratchDirectory())
    let silent = try ToolProcess(
      ["preview", "--video", "pattern", "--audio", "mic:no-such-device", "--seconds", "3"],
      environment: display.environment)
    let outcome = silent.finish()
    #expect(outcome.status == 0 && outcome.output.contains("first picture"), "\(outcome)")
    #expect(outcome.errors.contains("No sound: Microphone"), "\(outcome.errors)")
  }
}
