import CRawEncoder
import LinuxIO
import MediaBase
import VPXCodec

/// libvpx called from C with the settings of `VP8Encoder`.
final class RawEncoder {
  private let raw: OpaquePointer
  private var first: UInt32?

  init(_ configuration: VP8EncoderConfiguration) {
    guard
      let raw = raw_encoder_make(
        Int32(configuration.width), Int32(configuration.height), Int32(configuration.frameRate),
        Int32(configuration.bitrateKilobitsPerSecond), Int32(configuration.speed))
    else { fatalError("libvpx could not be set up.") }
    self.raw = raw
  }

  deinit { raw_encoder_free(raw) }

  /// Encodes a picture; the first one is a key frame. Returns how many bytes came out, and the CPU time in milliseconds.
  func encode(_ frame: VideoFrame, timestamp: UInt32) -> (byteCount: Int, milliseconds: Double) {
    let isFirst = first == nil
    let start = first ?? timestamp
    first = start
    let begin = ProcessStatistics.currentThreadCPUTime()
    let count = raw_encoder_encode(
      raw, frame.planeY, frame.planeU, frame.planeV, Int32(frame.strideY), Int32(frame.strideUV),
      Int64(timestamp &- start), isFirst ? 1 : 0)
    return (count, (ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000)
  }
}
