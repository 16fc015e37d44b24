import LinuxIO
import MediaBase
import Synchronization
import SyntheticMedia
import VPXCodec

/// A test pattern whose every picture is encoded by libvpx alone too, before or after the engine has done so: pauses and
/// caches are alike for both.
final class ComparingSource: VideoSource {
  let name = "test pattern, encoded twice"
  private let pattern = TestPatternSource()
  private let configuration: VP8EncoderConfiguration
  private let times = Mutex<[Double]>([])

  init(_ configuration: VP8EncoderConfiguration) { self.configuration = configuration }

  /// The CPU time of each picture in libvpx alone since the last call, in milliseconds.
  func takeTimes() -> [Double] {
    times.withLock { times in
      defer { times.removeAll() }
      return times
    }
  }

  func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    let state = Mutex(State(encoder: RawEncoder(configuration)))
    try pattern.start(
      format: format,
      sink: { [self] frame in
        state.withLock { state in
          state.count += 1
          let isEngineFirst = state.count % 2 == 0
          if isEngineFirst {
            sink(frame)
            // Half of the time to the next picture: the engine is done by then.
            MonotonicClock.sleep(for: .milliseconds(15))
          }
          let timestamp = UInt32(truncatingIfNeeded: frame.captureTime.nanoseconds / 1_000 * 9 / 100)
          let time = state.encoder.encode(frame, timestamp: timestamp).milliseconds
          times.withLock { $0.append(time) }
          if !isEngineFirst { sink(frame) }
        }
      }, onFailure: onFailure)
  }

  func stop() { pattern.stop() }

  private struct State: ~Copyable {
    var encoder: RawEncoder
    var count = 0
  }
}
