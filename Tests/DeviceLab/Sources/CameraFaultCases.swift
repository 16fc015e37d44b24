import Glibc
import LinuxIO
import MediaBase
import V4L2Capture

/// Cases of a camera that fails.
extension CameraCases {
  static func droppedBuffers() throws -> String {
    let camera = CameraRecorder()
    try camera.start(320, 180)
    defer { camera.stop() }
    try camera.waitForMore(5)
    let before = camera.source.statistics
    try VirtualCamera.dropBuffers(percent: 50)
    defer { try? VirtualCamera.dropBuffers(percent: 0) }
    try camera.waitForMore(30)
    let after = camera.source.statistics
    let (delivered, missing) = (
      after.deliveredPictures - before.deliveredPictures, after.missingPictures - before.missingPictures
    )
    try check(missing * 4 > delivered, "of \(delivered) pictures with half lost only \(missing) are counted as missing")
    try check(camera.interruptions.isEmpty, "\(camera.interruptions)")
    return "\(missing) counted as missing beside \(delivered)"
  }

  static func brokenBuffers() throws -> String {
    let camera = CameraRecorder()
    try camera.start(320, 180)
    defer { camera.stop() }
    for control in [VirtualCamera.Control.brokenPicture, .preparationRefused] {
      for _ in 0..<3 {
        try camera.waitForMore(3)
        try VirtualCamera.set(control)
      }
    }
    try camera.waitForMore(5)
    try check(camera.interruptions.isEmpty, "\(camera.interruptions)")
    try check(camera.source.statistics.brokenPictures >= 1, "no broken picture was counted")
    return "\(camera.source.statistics.brokenPictures) broken"
  }

  static func refusedStart() throws -> String {
    var messages: [String] = []
    for control in [VirtualCamera.Control.buffersRefused, .startRefused] {
      try VirtualCamera.set(control)
      let camera = CameraRecorder()
      do throws(MediaDeviceError) {
        try camera.start(320, 180)
        camera.stop()
        throw .unsupportedFormat(name: "", detail: "")
      } catch {
        guard case .system = error else { throw LabFailure("\(control): \(error)") }
        messages.append("\(error)")
      }
      try camera.start(320, 180)
      try camera.waitForMore(3)
      camera.stop()
    }
    return messages.joined(separator: " / ")
  }

  static func fatalError() throws -> String {
    let camera = CameraRecorder()
    try camera.start(320, 180)
    defer { camera.stop() }
    try camera.waitForMore(3)
    try VirtualCamera.set(.fatalError)
    try camera.waitForInterruption("news that pictures go on") { $0 == nil }
    guard case .system? = camera.interruptions.first ?? nil else { throw LabFailure("\(camera.interruptions)") }
    try camera.waitForMore(5)
    try check(camera.source.statistics.restarts >= 1, "no restart was counted")
    return "\(camera.interruptions.first.flatMap { $0 }.map { "\($0)" } ?? "")"
  }

  static func stalled() throws -> String {
    let camera = CameraRecorder()
    try camera.start(320, 180)
    defer { camera.stop() }
    try camera.waitForMore(5)
    try VirtualCamera.dropBuffers(percent: 100)
    defer { try? VirtualCamera.dropBuffers(percent: 0) }
    let begin = MonotonicClock.now()
    try camera.waitForInterruption("news of the stall") { $0 != nil }
    let told = MonotonicClock.now() - begin
    guard case .system(_, _, ETIMEDOUT, _)? = camera.interruptions.last ?? nil else {
      throw LabFailure("\(camera.interruptions)")
    }
    try check(told >= .milliseconds(3_500) && told < .milliseconds(5_500), "told after \(told.milliseconds) ms")
    try wait("another opening") { camera.source.statistics.restarts >= 1 }
    try VirtualCamera.dropBuffers(percent: 0)
    try camera.waitForInterruption("news that pictures go on") { $0 == nil }
    try camera.waitForMore(5)
    return "told after \(told.milliseconds) ms, \(camera.source.statistics.restarts) restarts"
  }

  static func busy() throws -> String {
    let holder = try HelperProcess.start(["--hold-camera"])
    defer { holder.end() }
    try wait("the other process") { (try? VirtualCamera.device().problem()) != nil }
    let camera = CameraRecorder()
    defer { camera.stop() }
    do throws(MediaDeviceError) {
      try camera.start(320, 180)
    } catch {
      guard case .busy(_, let name?) = error else { throw LabFailure("\(error)") }
      try check(name.contains("(\(holder.process))"), "the holder is \(name), not \(holder.process)")
      return "\(error)"
    }
    throw LabFailure("a camera in use could be started")
  }

  static func noPermission() throws -> String {
    let path = try VirtualCamera.device().path
    chmod(path, 0o600)
    // The kernel lets root in everywhere.
    let helper = try HelperProcess.start(["--open-camera"], user: 65_534)
    let status = helper.status
    try check(status == 13, "the other user's process ended with \(status)")
    return ""
  }

  static func unplugged() throws -> String {
    let camera = CameraRecorder()
    try camera.start(320, 180)
    defer { camera.stop() }
    try camera.waitForMore(5)
    let path = try VirtualCamera.device().path
    try VirtualCamera.unplug()
    try camera.waitForInterruption("news of the disconnection") { if case .disconnected? = $0 { true } else { false } }
    try VirtualCamera.unloadModule()
    // Who comes now is told too.
    let late = CameraRecorder(path: path)
    try late.start(320, 180)
    defer { late.stop() }
    try late.waitForInterruption("news for who comes later") { if case .disconnected? = $0 { true } else { false } }
    let gone = MonotonicClock.now()
    let before = camera.pictures.count
    MonotonicClock.sleep(for: .milliseconds(3_500))
    let repeated = camera.pictures.count - before
    try check((2...5).contains(repeated), "\(repeated) pictures in 3.5 s without a camera")
    try VirtualCamera.loadModule()
    let back = MonotonicClock.now()
    try camera.waitForInterruption("news that the camera is back") { $0 == nil }
    let delay = MonotonicClock.now() - back
    try camera.waitForMore(10)
    try check(delay < .milliseconds(1_000), "the picture came \(delay.milliseconds) ms after the camera")
    return
      "\(repeated) pictures in \((back - gone).milliseconds) ms without camera, back \(delay.milliseconds) ms after it"
  }
}
