import LinuxIO
import MediaBase
import V4L2Capture

/// Cases of the camera when all is well.
enum CameraCases {
  static func formats() throws -> String {
    try VirtualCamera.showBars()
    let modes = try VirtualCamera.device().modes()
    var (tried, unknown) = (0, Set<String>())
    for mode in modes where mode.width <= 1_280 && mode.height <= 720 {
      guard mode.isUsable else {
        unknown.insert(mode.format)
        continue
      }
      let frame = try picture([mode.format], mode.width, mode.height)
      try check(
        frame.width == mode.width && frame.height == mode.height,
        "\(mode.format) \(mode.width)x\(mode.height) came as \(frame.width)x\(frame.height)")
      // Five bits for a colour are steps of eight.
      let tolerance = mode.format == "RGBP" ? 6 : 3
      if let difference = TestPicture.difference(frame, isGrey: mode.format == "GREY", tolerance: tolerance) {
        throw LabFailure("\(mode.format) \(mode.width)x\(mode.height): \(difference)")
      }
      tried += 1
    }
    for needed in ["YUYV", "UYVY", "NV12", "NV21", "YU12", "YV12", "RGB3", "BGR3", "GREY"] {
      try check(modes.contains { $0.format == needed }, "the camera has no \(needed)")
    }
    let converted = try picture([], 640, 360)
    if let difference = TestPicture.difference(converted) { throw LabFailure("by libv4l2: \(difference)") }
    return "\(tried) modes; layouts that are left to libv4l2: \(unknown.count)"
  }

  private static func picture(_ layouts: [String], _ width: Int, _ height: Int) throws -> VideoFrame {
    var options = CameraOptions()
    options.layouts = layouts
    let camera = CameraRecorder(options: options)
    try camera.start(width, height, rate: 60)
    defer { camera.stop() }
    try camera.waitForMore(1)
    guard let frame = camera.last else { throw LabFailure("\(layouts) \(width)x\(height) gave no picture") }
    return frame
  }

  static func steady() throws -> String {
    let camera = CameraRecorder()
    try camera.start(320, 180)
    defer { camera.stop() }
    try camera.waitForMore(10)
    let before = camera.source.statistics
    let first = camera.pictures.count
    MonotonicClock.sleep(for: .seconds(4))
    let times = camera.pictures[first...].map(\.captureTime)
    let statistics = camera.source.statistics
    camera.stop()
    let steps = zip(times, times.dropFirst()).map { ($1 - $0).seconds * 1_000 }
    try check(!steps.isEmpty && steps.allSatisfy { $0 > 0 }, "capture times do not rise")
    // By the driver's numbers and times, not by when the slow guest got round to them.
    let taken =
      times.count - 1 + statistics.missingPictures - before.missingPictures + statistics.latePictures
      - before.latePictures
    let rate = Double(taken) / (steps.reduce(0, +) / 1_000)
    try check(abs(rate - 30) < 1.5, "\(rate) pictures a second instead of 30")
    let uneven = steps.filter { step in
      let count = (step * 30 / 1_000).rounded()
      return count < 1 || abs(step - count * 1_000 / 30) > 12
    }
    try check(
      uneven.count * 3 <= steps.count, "\(uneven.count) of \(steps.count) steps are uneven: \(uneven.prefix(8))")
    let delays = camera.pictures[first...].map { ($0.arrival - $0.captureTime).seconds * 1_000 }.sorted()
    return
      "\(rounded(rate)) pictures a second, \(statistics.missingPictures) missing, \(statistics.latePictures) late, "
      + "median delay in the guest \(rounded(delays[delays.count / 2])) ms"
  }

  static func sharing() throws -> String {
    let small = CameraRecorder()
    let large = CameraRecorder(options: CameraOptions(framing: .crop))
    try small.start(320, 180)
    try small.waitForMore(3)
    try large.start(640, 480)
    defer {
      small.stop()
      large.stop()
    }
    try wait("the larger size") { (large.last?.width ?? 0) == 640 && (small.last?.width ?? 0) > 320 }
    try small.waitForMore(3)
    small.stop()
    let count = small.pictures.count
    try large.waitForMore(5)
    try check(small.pictures.count == count, "pictures came after stop")
    try check(large.pictures.allSatisfy { $0.width == 640 && $0.height == 480 }, "not every picture was 640x480")
    large.stop()
    let again = CameraRecorder()
    try again.start(320, 180)
    try again.waitForMore(2)
    try check(again.last?.width == 320, "opened anew, the camera is \(again.last?.width ?? 0) wide")
    again.stop()
    return ""
  }

  static func shaping() throws -> String {
    try VirtualCamera.showBars()
    func frame(_ options: CameraOptions, _ width: Int, _ height: Int) throws -> VideoFrame {
      let camera = CameraRecorder(options: options)
      try camera.start(width, height)
      defer { camera.stop() }
      try camera.waitForMore(1)
      guard let frame = camera.last else { throw LabFailure("no picture") }
      try check(
        options.framing == .asCaptured || (frame.width == width && frame.height == height),
        "\(frame.width)x\(frame.height) instead of \(width)x\(height)")
      return frame
    }
    func expect(_ frame: VideoFrame, _ x: Int, _ y: Int, _ bar: Int, _ what: String) throws {
      if let difference = TestPicture.difference(frame, x: x, y: y, bar: bar) {
        throw LabFailure("\(what) at \(x), \(y): \(difference)")
      }
    }
    // A square of the middle of eight bars in 16:9: from 1.75 bars to 6.25.
    let square = try frame(CameraOptions(framing: .crop), 240, 240)
    try expect(square, 40, 120, 2, "crop, left")
    try expect(square, 200, 120, 5, "crop, right")
    let boxed = try frame(CameraOptions(framing: .letterbox), 320, 320)
    try expect(boxed, 160, 20, 7, "letterbox, above")
    try expect(boxed, 160, 300, 7, "letterbox, below")
    try expect(boxed, 20, 160, 0, "letterbox, left")
    try expect(boxed, 60, 160, 1, "letterbox, second bar")
    let mirrored = try frame(CameraOptions(isMirrored: true), 320, 180)
    try expect(mirrored, 10, 90, 7, "mirror, left")
    try expect(mirrored, 310, 90, 0, "mirror, right")
    let turned = try frame(CameraOptions(framing: .crop, rotation: 90), 180, 320)
    try expect(turned, 90, 10, 0, "turned, above")
    try expect(turned, 90, 310, 7, "turned, below")
    return ""
  }

  static func controls() throws -> String {
    let device = try VirtualCamera.device()
    let camera = CameraRecorder(options: CameraOptions(powerLineFrequency: .hertz60))
    try camera.start(320, 180)
    defer { camera.stop() }
    try camera.waitForMore(2)
    let before = try device.controls()
    guard let brightness = before.first(where: { $0.id == CameraControl.Standard.brightness.rawValue }) else {
      throw LabFailure("there is no brightness among \(before.count) controls")
    }
    try check(brightness.kind == .integer && brightness.maximum > brightness.minimum, "\(brightness)")
    try check(before.contains { $0.kind == .menu && $0.choices.count > 2 }, "no menu has choices")
    try device.setControl(brightness.id, to: brightness.maximum)
    try check(
      try device.controls().first { $0.id == brightness.id }?.value == brightness.maximum, "the value did not stay")
    try wait("a brighter picture") {
      camera.last.map { TestPicture.value($0, x: $0.width - 8, y: $0.height / 2).y > 60 } ?? false
    }
    try device.setControl(brightness.id, to: brightness.defaultValue)
    return "\(before.count) controls"
  }

  static func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
