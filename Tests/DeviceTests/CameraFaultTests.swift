import CV4L2
import Glibc
import LinuxIO
import MediaBase
import Testing
import V4L2Capture

/// Faults of a camera, made by the controls of the driver `vivid`. Only `scripts/test-devices` runs them: they would do
/// harm to other tests that use the camera at the same time.
@Suite(.serialized, .enabled(if: getenv("GREENROOM_CAMERA_FAULTS") != nil)) struct CameraFaultTests {
  /// Buttons of vivid (its VIVID_CID_VIVID_BASE is 0xF0F000).
  private enum Fault: UInt32 {
    case disconnect = 0xF0F041
    case brokenPicture = 0xF0F042
    case queueRefusal = 0xF0F044
    case startRefusal = 0xF0F045
    case fatal = 0xF0F046
  }

  private let format = VideoCaptureFormat(width: 320, height: 180, frameRate: 30)
  private let camera = CameraSource()
  private let frames = Collected<MediaInstant>()
  private let failures = Collected<MediaDeviceError>()

  private func start() throws(MediaDeviceError) {
    let (frames, failures) = (frames, failures)
    try camera.start(
      format: format, sink: { frames.add($0.captureTime) }, onFailure: { failures.add($0) })
  }

  private func cause(_ fault: Fault) throws {
    let path = try #require(CameraDevice.list().first?.path)
    let descriptor = v4l2_fd_open(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC), 0)
    try #require(descriptor >= 0)
    defer { v4l2_close(descriptor) }
    let control = Int32(bitPattern: fault.rawValue)
    #expect(v4l2_set_control(descriptor, control, 1) == 0, "\(fault)")
  }

  private func getsMorePictures() async -> Bool {
    let count = frames.all.count
    return await eventually { frames.all.count >= count + 5 }
  }

  @Test(arguments: [0xF0F042, 0xF0F044] as [UInt32])
  func `a broken picture or a refused buffer does not stop the stream`(control: UInt32) async throws {
    try start()
    #expect(await getsMorePictures())
    for _ in 0..<6 {
      try cause(#require(Fault(rawValue: control)))
      #expect(await getsMorePictures())
    }
    camera.stop()
    #expect(failures.all.isEmpty)
  }

  @Test func `a refused start is thrown, and the next start works`() async throws {
    try cause(.startRefusal)
    let error = #expect(throws: MediaDeviceError.self) { try start() }
    #expect(error?.description.contains("starting") == true, "\(String(describing: error))")
    try start()
    #expect(await getsMorePictures())
    camera.stop()
  }

  @Test func `a stream that dies is reported once, and the next start works`() async throws {
    try start()
    #expect(await getsMorePictures())
    try cause(.fatal)
    #expect(await eventually { !failures.all.isEmpty })
    camera.stop()
    #expect(failures.all.count == 1)
    try start()
    #expect(await getsMorePictures())
    camera.stop()
  }

  @Test func `an unplugged camera is reported as disconnected, and works when it is back`() async throws {
    try start()
    #expect(await getsMorePictures())
    try cause(.disconnect)
    #expect(await eventually { !failures.all.isEmpty })
    camera.stop()
    guard case .disconnected = failures.all.first else {
      Issue.record("got \(failures.all)")
      return
    }
    // The driver brings the camera back once its last user has let go.
    try start()
    #expect(await getsMorePictures())
    camera.stop()
  }
}
