import LinuxIO
import MediaBase
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

@Suite(.ownThread) struct SyntheticSourceTests {
  @Test func `equal seeds say the same, at a level that does not clip`() {
    let first = pieces(of: .speech(seed: 3), count: 250).flatMap(\.self)
    #expect(first == pieces(of: .speech(seed: 3), count: 250).flatMap(\.self))
    #expect(first != pieces(of: .speech(seed: 4), count: 250).flatMap(\.self))
    // About 20 dB below full scale.
    #expect((1_600..<6_500).contains(loudness(first)), "\(loudness(first))")
    #expect(first.allSatisfy { abs(Int($0)) < 32_000 })
    // Speech has pauses.
    let quiet = stride(from: 0, to: first.count, by: 960).filter { loudness(first[$0..<($0 + 960)]) < 200 }
    #expect(quiet.count > 10)
  }

  @Test func `a sine has its frequency and level`() {
    let samples = pieces(of: .sine(frequency: 1_000), count: 50).flatMap(\.self)
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect((999...1_000).contains(crossings))
    #expect((5_600..<6_000).contains(loudness(samples)))
  }

  @Test func `the pattern moves and keeps to its size`() {
    for (width, height) in [(16, 16), (17, 19), (640, 360), (641, 361)] {
      let pattern = TestPattern(width: width, height: height)
      let (a, b) = (
        pattern.frame(atSeconds: 0, captureTime: .zero), pattern.frame(atSeconds: 1_000.3, captureTime: .zero)
      )
      #expect(a.width == width)
      #expect(a.height == height)
      #expect(peakSignalToNoise(a, b) < 40)
    }
  }

  @Test func `a disc whose edge lies exactly on a row is drawn`() {
    // Here a row's distance from the disc's middle is rounded to a little more than the radius.
    let frame = TestPattern(width: 640, height: 360).frame(atSeconds: 2_750.0 / 30, captureTime: .zero)
    #expect(frame.width == 640)
  }

  @Test func `pictures come with a clock that says when they were handed over`() async throws {
    let source = TestPatternSource()
    let frames = Mutex<[(captureTime: MediaInstant, clock: MediaInstant?)]>([])
    try source.start(
      format: VideoCaptureFormat(width: 320, height: 180, frameRate: 100),
      sink: { frame in frames.withLock { $0.append((frame.captureTime, FrameClock.read(frame))) } },
      onFailure: { Issue.record($0) })
    while frames.withLock({ $0.count }) < 10 { try await Task.sleep(for: .milliseconds(5)) }
    source.stop()
    let seen = frames.withLock { $0 }
    for frame in seen {
      let clock = try #require(frame.clock)
      #expect((.zero ..< .microseconds(1)).contains(frame.captureTime - clock))
    }
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.captureTime < $1.captureTime })
    try await Task.sleep(for: .milliseconds(50))
    #expect(frames.withLock { $0.count } == seen.count)
    source.stop()
  }

  @Test func `sound comes in steps of 10 ms without drift`() async throws {
    let source = ToneSource(channelCount: 2)
    let frames = Mutex<[AudioFrame]>([])
    try source.start(
      sink: { frame in frames.withLock { $0.append(frame) } }, onFailure: { Issue.record($0) })
    while frames.withLock({ $0.count }) < 20 { try await Task.sleep(for: .milliseconds(5)) }
    source.stop()
    let seen = frames.withLock { $0 }
    let first = try #require(seen.first)
    for frame in seen {
      #expect(frame.samples.count == 960)
      #expect(frame.channelCount == 2)
      let distance = (frame.captureTime - first.captureTime).nanoseconds
      #expect(distance % 10_000_000 == 0)
    }
  }

  @Test func `a schedule does not drift over a year`() {
    let rate = PacedThread.Rate(30_000, per: 1_001)
    // 30,000 pictures last exactly 1,001 seconds.
    #expect(rate.offset(of: 30_000) == .seconds(1_001 as Int64))
    #expect(rate.offset(of: 30_000 * 31_536) == .seconds((1_001 * 31_536) as Int64))
    #expect(rate.offset(of: 1).nanoseconds == 33_366_666)
    #expect(PacedThread.Rate(0, per: -1) == PacedThread.Rate(1, per: 1))
  }

  @Test func `what is too late is left out when patience ends`() throws {
    let indices = Mutex<[Int64]>([])
    let thread = try #require(
      PacedThread(name: "late", rate: .init(100), patience: .zero) {
        return { tick in
          indices.withLock { $0.append(tick.index) }
          if tick.index == 0 { MonotonicClock.sleep(for: .milliseconds(75)) }
          return indices.withLock { $0.count } < 3
        }
      })
    while indices.withLock({ $0.count }) < 3 { MonotonicClock.sleep(for: .milliseconds(2)) }
    thread.stop()
    let seen = indices.withLock { $0 }
    #expect(seen[0] == 0)
    #expect(seen[1] >= 7)
    #expect(seen[2] > seen[1])
  }
}
