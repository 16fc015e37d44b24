import MediaBase
import Testing

@testable import MediaEngine

/// What is done with pieces of any length before they are encoded, without a clock.
@Suite struct CustomSoundTests {
  private let start = MediaInstant.zero + .seconds(5)

  private func frame(_ value: Int16, _ count: Int = 480, at milliseconds: Int64 = 0) -> AudioFrame {
    AudioFrame(samples: [Int16](repeating: value, count: count), captureTime: start + .milliseconds(milliseconds))
  }

  @Test func `pieces of any length become frames of 10 ms without gaps`() {
    var clock = CustomSoundClock()
    var frames: [AudioFrame] = []
    for index in 0..<40 {
      // 7.5 ms each, some of them early or late by less than what is a gap.
      let time = Double(index) * 7.5 + [0, 20, -20][index % 3]
      frames += clock.add(
        AudioFrame(
          samples: (0..<360).map { Int16(index * 360 + $0) }, captureTime: start + .seconds(time / 1_000)),
        now: start)
    }
    #expect(frames.count == 30)
    #expect(frames.flatMap(\.samples) == (0..<14_400).map { Int16($0) })
    #expect(frames.map { ($0.captureTime - start).milliseconds } == (0..<30).map { Int64($0 * 10) })
  }

  @Test func `after a gap the time is what the piece says, and what was left over is gone`() {
    var clock = CustomSoundClock()
    #expect(clock.add(frame(1, 500), now: start).count == 1)
    let late = clock.add(frame(2, 480, at: 200), now: start)
    #expect(late.map(\.captureTime) == [start + .milliseconds(200)])
    #expect(late.flatMap(\.samples).allSatisfy { $0 == 2 })
    // Without a time the last sample is of now.
    var timeless = CustomSoundClock()
    var piece = frame(3)
    piece.captureTime = .zero
    #expect(timeless.add(piece, now: start).map(\.captureTime) == [start - .milliseconds(10)])
  }

  @Test func `the microphone never waits for a track, and a track goes alone when the microphone is away`() {
    var mixer = SoundMixer(mix: SoundMix(microphone: true, trackID: 3))
    func add(_ value: Int16, _ id: Int, at milliseconds: Int64) -> [Int16?] {
      mixer.add(frame(value), of: id, now: start + .milliseconds(milliseconds)).map(\.samples.first)
    }
    #expect(add(1, 3, at: 0) == [1])
    #expect(add(100, 0, at: 10) == [100])
    #expect(add(2, 3, at: 15) == [])
    #expect(add(100, 0, at: 20) == [102])
    #expect(add(9, 4, at: 21) == [])
    // More than 200 ms of the track wait: the oldest go.
    for index in 1...25 { #expect(add(Int16(index), 3, at: 25) == []) }
    #expect(add(100, 0, at: 30) == [106])
    // The microphone is gone: what waits goes first.
    let rest = add(50, 3, at: 131)
    #expect(rest.count == 20 && rest.first == 7 && rest.last == 50)
    #expect(add(51, 3, at: 141) == [51])
    #expect(add(.max, 3, at: 151) == [.max])
    #expect(add(.max, 0, at: 160) == [.max])
  }
}
