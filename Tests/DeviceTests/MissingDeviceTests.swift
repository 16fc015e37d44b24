import ALSAAudio
import MediaBase
import TestSupport
import Testing
import V4L2Capture

/// Devices that are not there or not what they should be.
@Suite(.ownThread) struct MissingDeviceTests {
  private let format = VideoCaptureFormat(width: 320, height: 180, frameRate: 30)

  @Test func `a camera that is not there is named in the message`() {
    let camera = CameraSource(path: "/dev/video-none")
    let error = #expect(throws: MediaDeviceError.self) {
      try camera.start(format: format, sink: { _ in }, onFailure: { _ in })
    }
    #expect(error == .notFound(name: "Camera /dev/video-none"))
    #expect(error?.description.contains("/dev/video-none does not exist") == true)
    camera.stop()
  }

  @Test func `a file that is no camera is told as such`() {
    let error = #expect(throws: MediaDeviceError.self) {
      try CameraSource(path: "/dev/null").start(format: format, sink: { _ in }, onFailure: { _ in })
    }
    guard case .unsupportedFormat(let name, _) = error else {
      Issue.record("got \(String(describing: error))")
      return
    }
    #expect(name == "Camera /dev/null")
  }

  @Test(.enabled(if: CameraDevice.list().isEmpty))
  func `without any camera the first one is not found`() {
    let error = #expect(throws: MediaDeviceError.self) {
      try CameraSource().start(format: format, sink: { _ in }, onFailure: { _ in })
    }
    #expect(error == .notFound(name: "The default camera"))
  }

  @Test(arguments: ["no-such-device", "hw:77", "plughw:CARD=Nothing,DEV=0"])
  func `a microphone or speaker that is not there is named in the message`(name: String) {
    let recording = #expect(throws: MediaDeviceError.self) {
      try MicrophoneSource(name: name).start(sink: { _ in }, onFailure: { _ in })
    }
    #expect(recording == .notFound(name: "Microphone '\(name)'"))
    let playing = #expect(throws: MediaDeviceError.self) {
      try SpeakerPlayout(name: name).start(fill: { _ in }, onFailure: { _ in })
    }
    #expect(playing == .notFound(name: "Speaker '\(name)'"))
  }

  @Test func `a device can be stopped without having been started`() {
    CameraSource().stop()
    MicrophoneSource().stop()
    SpeakerPlayout().stop()
    NullPlayout().stop()
  }
}
