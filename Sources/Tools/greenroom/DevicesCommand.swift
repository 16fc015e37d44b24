import Glibc

/// `greenroom devices`: what can be named with `--video` and `--audio`.
enum DevicesCommand: Command {
  static let specification = CommandSpecification(
    name: "devices", summary: "list cameras, microphones and speakers",
    details: """
      A camera is given to --video as camera:/dev/videoN, a microphone to --audio as mic:NAME, a speaker to --speaker. What
      keeps a device from being used is said beside it.
      """,
    options: [
      .flag("--controls", "also what can be set at each camera"),
      .flag("--json", "everything, for programs"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let report = DeviceReport()
    if options.has("--json") {
      print(try JSONFile.text(report))
      return .success
    }
    printCameras(report.cameras, withControls: options.has("--controls"))
    printSounds("Microphones:", report.microphones)
    printSounds("Speakers:", report.speakers)
    return .success
  }

  private static func printCameras(_ cameras: [DeviceReport.Camera], withControls: Bool) {
    print("Cameras:")
    if cameras.isEmpty { print("  none") }
    for camera in cameras {
      let place = camera.bus.isEmpty ? "" : "  (\(camera.bus))"
      print("  \(camera.path)  \(camera.name)\(place)")
      if let problem = camera.problem { print("    ! \(problem)") }
      printModes(camera.modes)
      if withControls { camera.controls.forEach { print("    \(line(of: $0))") } }
    }
  }

  /// A line for each layout: its sizes with the highest rate.
  private static func printModes(_ modes: [DeviceReport.Mode]) {
    var formats: [String] = []
    for mode in modes where !formats.contains(mode.format) { formats.append(mode.format) }
    for format in formats {
      let same = modes.filter { $0.format == format }
      let sizes = same.map { mode in
        "\(mode.width)x\(mode.height)" + (mode.frameRates.first.map { "@\(number($0))" } ?? "")
      }
      let note = same.first?.isUsable ?? true ? "" : "  [converted by libv4l2 if at all]"
      print("    \(format.padded(to: 4))  \(sizes.joined(separator: " "))\(note)")
    }
  }

  private static func line(of control: DeviceReport.Control) -> String {
    let value: String
    switch control.kind {
    case "menu": value = control.choices["\(control.value)"] ?? "\(control.value)"
    case "boolean": value = control.value == 0 ? "off" : "on"
    case "button": value = "button"
    default: value = "\(control.value) (\(control.minimum) to \(control.maximum))"
    }
    return "\(control.name.padded(to: 32))  \(value)\(control.isLocked ? "  [locked]" : "")"
  }

  private static func printSounds(_ title: String, _ devices: [DeviceReport.Sound]) {
    print(title)
    if devices.isEmpty { print("  none") }
    for device in devices {
      print("  \(device.name)  \(device.description)\(device.volume.map { "  volume \($0) %" } ?? "")")
      if let problem = device.problem { print("    ! \(problem)") }
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\((value * 10).rounded() / 10)"
  }
}
