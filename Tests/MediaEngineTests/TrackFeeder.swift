import Foundation
import LinuxIO
import MediaEngine
import Synchronization
import TestSupport

/// Gives something to an engine's track thirty times a second, or as often as is said, on a thread of its own.
final class TrackFeeder: Sendable {
  private let isOver = Atomic(false)
  private let fedCount = Atomic(0)
  private let thread = Mutex<WorkerThread?>(nil)

  init(every milliseconds: UInt32 = 33, _ feed: @escaping @Sendable (Int) -> Void) {
    thread.withLock { thread in
      thread = WorkerThread(name: "feeder") { [self] in
        while !isOver.load(ordering: .relaxed) {
          feed(fedCount.add(1, ordering: .relaxed).oldValue)
          usleep(milliseconds * 1_000)
        }
      }
    }
  }

  /// Pictures of one brightness, but for one row that changes, so that each is a picture of its own.
  convenience init(_ engine: RTCEngine, track: Int, brightness: UInt8) {
    self.init { number in _ = engine.pushVideoFrame(.flat(brightness, number), trackID: track) }
  }

  var count: Int { fedCount.load(ordering: .relaxed) }

  /// Ends it; nothing is given any more when it returns.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread.withLock { $0.take() }?.join()
  }
}

extension VideoFrame {
  static func flat(_ brightness: UInt8, _ number: Int, width: Int = 320, height: Int = 180) -> VideoFrame {
    let frame = VideoFrame(width: width, height: height)
    frame.planeY.update(repeating: brightness, count: frame.strideY * height)
    frame.planeU.update(repeating: 128, count: frame.strideUV * frame.chromaHeight)
    frame.planeV.update(repeating: 128, count: frame.strideUV * frame.chromaHeight)
    frame.planeY[number % width] = brightness ^ 8
    return frame
  }

  /// Of the picture's middle; `nil` if it is not of one brightness.
  var brightness: Int? {
    let middle = (height / 4..<height * 3 / 4).flatMap { y in
      stride(from: width / 8, to: width * 7 / 8, by: 8).map { Int(planeY[y * strideY + $0]) }
    }
    guard let least = middle.min(), let most = middle.max(), most - least <= 12 else { return nil }
    return middle.reduce(0, +) / middle.count
  }
}

/// What a viewer sees on each channel: pictures of one brightness, rounded to tens, or others.
final class BrightnessLog: Sendable {
  private let seen = Mutex<[String: [Int]]>([:])

  func observe(_ engine: RTCEngine) {
    engine.setRemoteVideoFrameObserver { [self] picture in
      let brightness = picture.frame.brightness.map { ($0 + 5) / 10 * 10 } ?? 0
      seen.withLock { $0[picture.connection.channelID, default: []].append(brightness) }
    }
  }

  /// All that has been seen on a channel, each once.
  func all(_ channel: String) -> Set<Int> { seen.withLock { Set($0[channel] ?? []) } }

  func count(_ channel: String) -> Int { seen.withLock { $0[channel]?.count ?? 0 } }

  func last(_ channel: String) -> Int? { seen.withLock { $0[channel]?.last } }

  func clear() { seen.withLock { $0.removeAll() } }

  /// Waits for so many more pictures of this brightness.
  func sees(_ brightness: Int, _ channel: String, _ more: Int = 10) async -> Bool {
    func present() -> Int { seen.withLock { $0[channel]?.count { $0 == brightness } ?? 0 } }
    let start = present()
    return await eventually { present() >= start + more }
  }
}
