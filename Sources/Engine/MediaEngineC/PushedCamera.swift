import CMediaEngine
import LinuxIO
import MediaBase
import MediaEngine
import Synchronization

/// A camera whose pictures the program brings.
final class PushedCamera: VideoSource {
  private typealias Sink = @Sendable (VideoFrame) -> Void

  private let sink = Mutex<Sink?>(nil)
  private let pool = VideoFramePool()

  var name: String { "the program's pictures" }

  func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    self.sink.withLock { $0 = sink }
  }

  func stop() { sink.withLock { $0 = nil } }

  /// Takes over a picture. The sink runs under the lock, so that `stop()` waits for it.
  func push(_ picture: media_engine_picture) throws(EngineErrorCode) {
    let (width, height) = (Int(picture.width), Int(picture.height))
    guard (16...4_096).contains(width), (16...4_096).contains(height), [0, 90, 180, 270].contains(picture.rotation),
      let luma = picture.planes.0, let blue = picture.planes.1, let red = picture.planes.2,
      (width...65_536).contains(Int(picture.strides.0)),
      ((width + 1) / 2...65_536).contains(Int(picture.strides.1)),
      ((width + 1) / 2...65_536).contains(Int(picture.strides.2)), picture.capture_time_ns >= 0
    else { throw .invalidArgument }
    let time =
      picture.capture_time_ns == 0 ? MonotonicClock.now() : MediaInstant(nanoseconds: picture.capture_time_ns)
    let isTaken = sink.withLock { sink in
      guard let sink else { return false }
      let frame = pool.frame(width: width, height: height, captureTime: time)
      frame.rotation = Int(picture.rotation)
      copy(luma, Int(picture.strides.0), to: frame.planeY, frame.strideY, width: width, height: height)
      let (chromaWidth, chromaHeight) = (frame.chromaWidth, frame.chromaHeight)
      copy(blue, Int(picture.strides.1), to: frame.planeU, frame.strideUV, width: chromaWidth, height: chromaHeight)
      copy(red, Int(picture.strides.2), to: frame.planeV, frame.strideUV, width: chromaWidth, height: chromaHeight)
      sink(frame)
      return true
    }
    guard isTaken else { throw .notReady }
  }

  private func copy(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, to target: UnsafeMutablePointer<UInt8>, _ targetStride: Int,
    width: Int, height: Int
  ) {
    for row in 0..<height {
      (target + row * targetStride).update(from: source + row * sourceStride, count: width)
    }
  }
}
