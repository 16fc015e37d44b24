import MediaBase
import Testing

@testable import V4L2Capture

@Suite struct CameraModeTests {
  private let wanted = VideoCaptureFormat(width: 1_280, height: 720, frameRate: 30)

  private func mode(_ format: CameraPixelFormat, _ width: Int, _ height: Int, _ rate: Double?) -> CameraMode {
    CameraMode(format: format, width: width, height: height, highestRate: rate)
  }

  @Test func `the cheaper layout wins among equals`() {
    let modes = [mode(.nv12, 1_280, 720, 30), mode(.yuyv, 1_280, 720, 60), mode(.motionJPEG, 1_280, 720, nil)]
    #expect(CameraMode.best(of: modes, for: wanted)?.format == .nv12)
  }

  @Test func `JPEG is taken where raw pictures are too slow`() {
    let modes = [mode(.yuyv, 1_280, 720, 10), mode(.motionJPEG, 1_280, 720, 30)]
    #expect(CameraMode.best(of: modes, for: wanted)?.format == .motionJPEG)
  }

  @Test func `29.97 frames per second count as 30`() {
    let modes = [mode(.yuyv, 1_280, 720, 29.97), mode(.motionJPEG, 1_280, 720, 30)]
    #expect(CameraMode.best(of: modes, for: wanted)?.format == .yuyv)
  }

  @Test func `the right size comes before the rate, and too large before too small`() {
    let small = mode(.yuv420, 640, 480, 30)
    #expect(CameraMode.best(of: [small, mode(.yuyv, 1_280, 720, 10)], for: wanted)?.format == .yuyv)
    #expect(CameraMode.best(of: [small, mode(.yuyv, 1_920, 1_080, 30)], for: wanted)?.format == .yuyv)
    #expect(CameraMode.best(of: [], for: wanted) == nil)
  }
}
