import ALSAAudio
import V4L2Capture

/// `greenroom devices`: what can be named with `--video` and `--audio`.
enum DevicesCommand: Command {
  static let specification = CommandSpecification(
    name: "devices", summary: "list cameras, microphones and speakers",
    details: "A camera is given to --video as camera:/dev/videoN, a microphone to --audio as mic:NAME.", options: [])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let cameras = CameraDevice.list()
    print("Cameras:")
    for camera in cameras { print("  \(camera.path)  \(camera.name)") }
    if cameras.isEmpty { print("  none") }
    for (title, devices) in [
      ("Microphones:", AudioDevices.microphones()), ("Speakers:", AudioDevices.speakers()),
    ] {
      print(title)
      for device in devices { print("  \(device.name)  \(device.description)") }
      if devices.isEmpty { print("  none") }
    }
    return .success
  }
}
