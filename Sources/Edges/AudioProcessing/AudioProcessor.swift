import CAudioProcessingShims
public import MediaBase
import Synchronization

/// Echo cancellation, noise suppression and gain control for one microphone and the speaker beside it
/// (libwebrtc-audio-processing), 48 kHz, 10 ms at a time.
///
/// One thread may render while another captures.
public final class AudioProcessor: Sendable {
  /// What is done.
  public let options: AudioProcessingOptions
  /// Channels of the microphone that are processed, 1 or 2.
  public let channelCount: Int
  private let handle: Handle
  private let rendering = Mutex([Float](repeating: 0, count: frameCount))
  /// The channels one behind the other.
  private let capturing: Mutex<[Float]>

  /// 10 ms at 48 kHz.
  private static let frameCount = 480
  /// The library finds no echo that comes earlier than it is told, and finds one that comes up to 100 ms later.
  private static let margin = MediaDuration.milliseconds(30)
  /// The library refuses more.
  private static let longestDelay = MediaDuration.milliseconds(500)

  private final class Handle: @unchecked Sendable {
    // @unchecked: the library locks for itself between rendering and capturing.
    let pointer: OpaquePointer

    init?(_ settings: cap_settings, channelCount: Int) {
      guard let pointer = cap_make(settings, Int32(channelCount)) else { return nil }
      self.pointer = pointer
    }

    deinit { cap_free(pointer) }
  }

  /// Makes a processor; `nil` if the library refuses, or if there is nothing to do.
  public init?(_ options: AudioProcessingOptions, channelCount: Int) {
    guard options != .off, (1...2).contains(channelCount) else { return nil }
    let settings = cap_settings(
      cancels_echo: options.cancelsEcho ? 1 : 0, noise_suppression: Int32(options.noiseSuppression.rawValue),
      controls_gain: options.controlsGain ? 1 : 0, removes_rumble: options.removesRumble ? 1 : 0)
    guard let handle = Handle(settings, channelCount: channelCount) else { return nil }
    self.handle = handle
    self.options = options
    self.channelCount = channelCount
    capturing = Mutex([Float](repeating: 0, count: Self.frameCount * channelCount))
  }

  /// Takes note of what is about to be played: 10 ms of interleaved stereo, 960 samples. Anything else is ignored.
  public func render(_ samples: UnsafeBufferPointer<Int16>) {
    guard options.cancelsEcho, samples.count == Self.frameCount * 2 else { return }
    rendering.withLock { mono in
      for index in 0..<Self.frameCount {
        mono[index] = (Float(samples[2 * index]) + Float(samples[2 * index + 1])) / 65_536
      }
      _ = mono.withUnsafeBufferPointer { cap_render(handle.pointer, $0.baseAddress) }
    }
  }

  /// The frame with everything done to it. Frames of another length, rate or number of channels come back as they are.
  ///
  /// - Parameter delay: from `render` of a sound until its echo comes in here: the speaker's delay and the microphone's.
  ///   May be less than the truth by up to 100 ms, but not more.
  public func capture(_ frame: AudioFrame, delay: MediaDuration) -> AudioFrame {
    guard frame.channelCount == channelCount, frame.samples.count == Self.frameCount * channelCount,
      frame.sampleRate == 48_000
    else { return frame }
    let told = Int32(max(.zero, min(delay - Self.margin, Self.longestDelay)).milliseconds)
    var result = frame
    capturing.withLock { planes in
      for channel in 0..<channelCount {
        for index in 0..<Self.frameCount {
          planes[channel * Self.frameCount + index] = Float(frame.samples[index * channelCount + channel]) / 32_768
        }
      }
      guard process(&planes, told) else { return }
      for channel in 0..<channelCount {
        for index in 0..<Self.frameCount {
          let sample = (planes[channel * Self.frameCount + index] * 32_768).rounded()
          result.samples[index * channelCount + channel] = Int16(max(-32_768, min(32_767, sample)))
        }
      }
    }
    return result
  }

  private func process(_ planes: inout [Float], _ delay: Int32) -> Bool {
    planes.withUnsafeMutableBufferPointer { planes in
      guard let first = planes.baseAddress else { return false }
      let second = channelCount == 2 ? first + Self.frameCount : nil
      return cap_capture(handle.pointer, first, second, delay) == 0
    }
  }

  /// The delay of the echo that has been found; `nil` if none has. For statistics; the library says it anew each second.
  public var echoDelay: MediaDuration? {
    guard options.cancelsEcho else { return nil }
    let milliseconds = cap_delay(handle.pointer)
    return milliseconds >= 0 ? .milliseconds(Int64(milliseconds)) : nil
  }
}
