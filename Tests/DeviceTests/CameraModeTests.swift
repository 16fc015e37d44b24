import CV4L2
import Glibc
import MediaBase
import TestSupport
import Testing

@testable import V4L2Capture

@Suite(.ownThread) struct CameraModeTests {
  private let wanted = VideoCaptureFormat(width: 1_280, height: 720, frameRate: 30)

  @Test func `what the driver leaves open about colours follows V4L2's defaults`() {
    var picture = v4l2_pix_format()
    picture.colorspace = V4L2_COLORSPACE_SRGB.rawValue
    #expect(CameraColour(picture) == .standard)
    picture.colorspace = V4L2_COLORSPACE_REC709.rawValue
    #expect(CameraColour(picture) == CameraColour(matrix: .bt709))
    picture.colorspace = V4L2_COLORSPACE_JPEG.rawValue
    #expect(CameraColour(picture) == CameraColour(isFullRange: true))
    // Only with the magic number do the later fields count.
    picture.quantization = V4L2_QUANTIZATION_LIM_RANGE.rawValue
    #expect(CameraColour(picture).isFullRange)
    picture.priv = 0xFEED_CAFE
    #expect(CameraColour(picture) == .standard)
  }

  @Test(arguments: [
    CameraColour(), CameraColour(isFullRange: true), CameraColour(matrix: .bt709),
    CameraColour(matrix: .bt2020, isFullRange: true),
  ]) func `white and black come to their place from every meaning`(colour: CameraColour) {
    let (black, white): (UInt8, UInt8) = colour.isFullRange ? (0, 255) : (16, 235)
    var scratch: [UInt8] = []
    for (before, after) in [(black, UInt8(16)), (white, UInt8(235))] {
      let frame = VideoFrame(width: 64, height: 32)
      frame.fill(luma: before)
      colour.standardize(frame, scratch: &scratch)
      #expect(abs(Int(frame.planeY[frame.strideY * 31 + 63]) - Int(after)) <= 1)
      #expect(abs(Int(frame.planeU[5]) - 128) <= 1 && abs(Int(frame.planeV[5]) - 128) <= 1)
    }
  }

  private func mode(_ format: CameraPixelFormat, _ width: Int, _ height: Int, _ rate: Double?) -> CameraMode {
    CameraMode(format: format, width: width, height: height, highestRate: rate)
  }

  @Test func `the cheaper layout wins among equals`() {
    let modes = [mode(.nv12, 1_280, 720, 30), mode(.yuyv, 1_280, 720, 60), mode(.motionJPEG, 1_280, 720, nil)]
    #expect(CameraMode.best(of: modes, for: wanted)?.format == .nv12)
  }

  @Test func `a raw mode that is large and fast enough is taken before a fitting JPEG mode`() {
    let modes = [mode(.motionJPEG, 1_280, 720, 30), mode(.yuyv, 1_920, 1_080, 30), mode(.nv12, 640, 480, 30)]
    #expect(CameraMode.best(of: modes, for: wanted)?.format == .yuyv)
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

  @Test func `a camera is one and the same by whichever of its names it is called`() throws {
    let link = "/tmp/greenroom-camera-\(getpid())"
    try #require(symlink("/dev/null", link) == 0)
    defer { unlink(link) }
    #expect(SharedCamera.named(link) === SharedCamera.named("/dev/null"))
    #expect(SharedCamera.named("/dev/video-none") !== SharedCamera.named("/dev/null"))
  }

  @Test(arguments: CameraPixelFormat.allCases.filter { !$0.isCompressed }, [1, 2, 159, 160, 161])
  func `the shortest line that a driver may promise has room for the last pixel's colour`(
    format: CameraPixelFormat, width: Int
  ) {
    let (line, half) = (format.shortestLine(width: width), (width + 1) / 2)
    switch format {
    case .yuv420, .yvu420, .converted, .yuv422: #expect(line >= width && line / 2 >= half)
    case .nv12, .nv21: #expect(line >= width && line >= 2 * half)
    case .yuyv, .uyvy, .yvyu, .vyuy: #expect(line >= 4 * half)
    default: #expect(line >= width)
    }
  }

  @Test func `sizes in steps are met from above, also where a driver says that the steps are 0`() {
    let range = CameraCapabilities.StrideRange(least: 16, most: 100, step: 8)
    #expect([0, 16, 17, 24, 99, 1_000].map(range.nearest) == [16, 16, 24, 24, 100, 100])
    let continuous = CameraCapabilities.StrideRange(least: 16, most: 100, step: 0)
    #expect([0, 16, 17, 99, 1_000].map(continuous.nearest) == [16, 16, 17, 99, 100])
  }
}
