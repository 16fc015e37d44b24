/// A piece of linear PCM: signed 16-bit samples, channels interleaved.
public struct AudioFrame: Sendable {
  /// `frameCount * channelCount` samples.
  public var samples: [Int16]
  /// Samples per second of each channel. The engine works at 48,000.
  public var sampleRate: Int
  /// 1 or 2.
  public var channelCount: Int
  /// When the first sample was captured, on the monotonic clock.
  public var captureTime: MediaInstant

  /// Makes a frame; `samples.count` must be a multiple of `channelCount`.
  public init(samples: [Int16], sampleRate: Int = 48_000, channelCount: Int = 1, captureTime: MediaInstant) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.captureTime = captureTime
  }

  /// Samples per channel.
  public var frameCount: Int { samples.count / channelCount }
}
