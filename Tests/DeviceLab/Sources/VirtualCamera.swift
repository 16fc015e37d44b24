import Glibc
import LinuxIO
import MediaBase
import V4L2Capture

/// The driver `vivid` and its controls (Documentation/admin-guide/media/vivid.rst of Linux).
enum VirtualCamera {
  /// Numbers of its controls, from 0xF0F000.
  enum Control: UInt32 {
    case testPattern = 0xF0F000
    case textMode = 0xF0F001
    case horizontalMovement = 0xF0F002
    case disconnect = 0xF0F041
    case brokenPicture = 0xF0F042
    case buffersRefused = 0xF0F043
    case preparationRefused = 0xF0F044
    case startRefused = 0xF0F045
    case fatalError = 0xF0F046
  }

  static func device() throws -> CameraDevice {
    guard let device = CameraDevice.list().first else { throw LabFailure("there is no camera") }
    return device
  }

  static func set(_ control: Control, _ value: Int = 1) throws {
    try device().setControl(control.rawValue, to: value)
  }

  /// Has the driver lose a share of its pictures.
  static func dropBuffers(percent: Int) throws {
    guard let share = try device().controls().first(where: { $0.name.contains("Dropped Buffers") }) else {
      throw LabFailure("no control for dropped buffers")
    }
    try device().setControl(share.id, to: percent)
  }

  /// Bars without text over them.
  static func showBars() throws {
    let names = try device().controls()
    for (name, value) in [("Test Pattern", 0), ("OSD Text Mode", 2)] {
      guard let control = names.first(where: { $0.name == name }) else { throw LabFailure("no control \(name)") }
      try device().setControl(control.id, to: value)
    }
  }

  static func loadModule() throws {
    let directory = String(cString: getenv("GUEST_MODULE_DIRECTORY"))
    try run("insmod \(directory)/kernel/drivers/media/test-drivers/vivid/vivid.ko")
  }

  /// Takes the driver from its device, as when a plug is pulled: whoever has the camera open is told.
  static func unplug() throws { try run("echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind") }

  /// Waits until nobody has the camera open any more.
  static func unloadModule() throws { try wait("a free module") { system("rmmod vivid 2>/dev/null") == 0 } }

  private static func run(_ command: String) throws {
    let status = system(command)
    try check(status == 0, "`\(command)` gave \(status)")
  }
}
