import MediaBase
import ALSAAudio
import V4L2Capture

/// All cameras, microphones and speakers with what can be said of them.
struct DeviceReport: Encodable {
  struct Camera: Encodable {
    var path: String
    var name: String
    var bus: String
    var driver: String
    /// Why it cannot be used now, as a sentence.
    var problem: String?
    var modes: [Mode] = []
    var controls: [Control] = []
  }

  struct Mode: Encodable {
    var format: String
    var description: String
    var isUsable: Bool
    var width: Int
    var height: Int
    var frameRates: [Double]
  }

  struct Control: Encodable {
    var id: UInt32
    var name: String
    var kind: String
    var minimum: Int
    var maximum: Int
    var step: Int
    var defaultValue: Int
    var value: Int
    /// Of a menu what its values mean.
    var choices: [String: String]
    var isLocked: Bool
  }

  struct Sound: Encodable {
    var name: String
    var description: String
    var problem: String?
    /// 0 to 100, where the card has a control for it.
    var volume: Int?
  }

  var cameras: [Camera]
  var microphones: [Sound]
  var speakers: [Sound]

  init() {
    cameras = CameraDevice.list().map(Self.camera)
    microphones = AudioDevices.microphones().map { device in
      Sound(
        name: device.name, description: device.description,
        problem: AudioDevices.problem(ofMicrophone: device.name)?.description,
        volume: DeviceVolume.microphone(device.name))
    }
    speakers = AudioDevices.speakers().map { device in
      Sound(
        name: device.name, description: device.description,
        problem: AudioDevices.problem(ofSpeaker: device.name)?.description, volume: DeviceVolume.speaker(device.name))
    }
  }

  private static func camera(_ device: CameraDevice) -> Camera {
    var camera = Camera(
      path: device.path, name: device.name, bus: device.bus, driver: device.driver,
      problem: device.problem()?.description)
    camera.modes = ((try? device.modes()) ?? []).map { mode in
      Mode(
        format: mode.format, description: mode.formatName, isUsable: mode.isUsable, width: mode.width,
        height: mode.height, frameRates: mode.frameRates.map { ($0 * 100).rounded() / 100 })
    }
    camera.controls = ((try? device.controls()) ?? []).map { control in
      Control(
        id: control.id, name: control.name, kind: control.kind.rawValue, minimum: control.minimum,
        maximum: control.maximum, step: control.step, defaultValue: control.defaultValue, value: control.value,
        choices: Dictionary(uniqueKeysWithValues: control.choices.map { ("\($0.key)", $0.value) }),
        isLocked: control.isLocked)
    }
    return camera
  }
}
