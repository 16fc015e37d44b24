import Foundation
import LinuxIO
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport

/// Which tones a listener hears on each channel, in every 10 ms.
final class ToneLog: Sendable {
  /// Whole periods of each are in 10 ms, so that none is heard in another.
  static let tones = [400, 800, 1_600]

  private let heard = Mutex<[String: [Set<Int>]]>([:])

  func observe(_ engine: RTCEngine) {
    engine.setAudioFrameObserver { [self] observed in
      guard case .beforeMixing(let connection, _) = observed.position else { return }
      let tones = Set(Self.tones.filter { Self.amplitude(observed.frame, $0) > 0.06 })
      heard.withLock { $0[connection.channelID, default: []].append(tones) }
    }
  }

  private static func amplitude(_ frame: AudioFrame, _ frequency: Int) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for index in 0..<frame.frameCount {
      let phase = 2 * Double.pi * Double(frequency * index) / 48_000
      let value = Double(frame.samples[index * frame.channelCount]) / 32_768
      real += value * cos(phase)
      imaginary += value * sin(phase)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(1, frame.frameCount))
  }

  /// Waits for 200 ms more of exactly these tones.
  func hears(_ tones: Set<Int>, _ channel: String) async -> Bool {
    func present() -> Int { heard.withLock { $0[channel]?.count { $0 == tones } ?? 0 } }
    let start = present()
    return await eventually { present() >= start + 20 }
  }

  /// All tones that have been heard on a channel.
  func all(_ channel: String) -> Set<Int> {
    heard.withLock { $0[channel]?.reduce(into: []) { $0.formUnion($1) } ?? [] }
  }

  func clear() { heard.withLock { $0.removeAll() } }
}

extension TrackFeeder {
  /// A tone in real time, in pieces of 10 ms.
  convenience init(_ engine: RTCEngine, track: Int, tone: Int, channelCount: Int = 1) {
    let state = Mutex((generator: ToneGenerator(signal: .sine(frequency: Double(tone))), given: Int64(0)))
    let start = MonotonicClock.now()
    self.init(every: 5) { _ in
      state.withLock { state in
        while state.given * 10 < (MonotonicClock.now() - start).milliseconds {
          state.given += 1
          let samples = state.generator.next(frameCount: 480, channelCount: channelCount)
          _ = engine.pushAudioFrame(
            AudioFrame(samples: samples, channelCount: channelCount, captureTime: .zero), trackID: track)
        }
      }
    }
  }
}
