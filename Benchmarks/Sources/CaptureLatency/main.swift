// What capture adds to a picture's age: from the driver's time stamp to the encoder, through the engine as it runs. The
// camera is one in this process (CTestCamera) that is as punctual as the kernel's timers.
import BenchmarkSupport
import CTestCamera
import LinuxIO
import MediaBase
import MediaEngine
import Synchronization
import V4L2Capture

/// The age of every picture when its encoding begins.
final class AgeWatch: RTCVideoFrameDelegate {
  private let ages = Mutex<[Double]>([])

  var observedFramePositions: VideoFramePosition { .preEncode }
  var all: [Double] { ages.withLock { $0 } }

  func onPreEncodeVideoFrame(_ frame: VideoFrame) -> VideoFrame? {
    let age = MonotonicClock.now() - frame.captureTime
    ages.withLock { $0.append(age.seconds * 1_000) }
    return frame
  }
}

/// The first pictures wait for codecs and threads to be made.
let (skipped, wanted) = (30, 600)
var report = BenchmarkReport("CaptureLatency")
for layout in ["YUYV", "NV12"] {
  test_camera_set_layout(layout)
  let stage = try BenchmarkStage()
  let camera = CameraSource(path: TEST_CAMERA_PATH)
  let host = RTCEngine(
    configuration: RTCEngineConfiguration(
      server: stage.url, videoSource: camera,
      videoEncoderConfiguration: VideoEncoderConfiguration(width: 1_280, height: 720, frameRate: 30, bitrate: 1_500)),
    delegate: nil)
  let watch = AgeWatch()
  host.setVideoFrameDelegate(watch)
  host.joinChannel(token: nil, channelID: "bench", uid: 1, options: BenchmarkStage.broadcaster)
  _ = poll(seconds: 40) { watch.all.count >= skipped + wanted ? true : nil }
  let (ages, statistics) = (Array(watch.all.dropFirst(skipped)), camera.statistics)
  host.destroy()
  if ages.count < wanted / 2 { report.fail("only \(ages.count) pictures of \(layout) came to the encoder") }
  report.add("driver's time stamp to encoder, 1280x720 \(layout)", ages, "ms", p95Limit: 3)
  report.add("pictures of \(layout) that were missed", Double(statistics.missingPictures + statistics.latePictures), "")
}
report.finish()
