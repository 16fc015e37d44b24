import EngineCore
import MediaBase
import Testing

@testable import MediaEngine

/// What is taken of an application's encoded pictures, without threads.
@Suite struct EncodedVideoDeskTests {
  private let start = MediaInstant.zero + .seconds(100)
  private let keyFrame: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 64, 0, 48, 0]
  private let delta: [UInt8] = [0x11, 0, 0]

  private func push(
    _ desk: EncodedVideoDesk, _ data: [UInt8], at time: MediaInstant = .zero, now: MediaInstant? = nil
  ) -> (EngineErrorCode, EncodedVideoFrame?) {
    var sent: EncodedVideoFrame?
    let code = desk.push(data, EncodedVideoFrameInfo(captureTime: time), track: 1, now: now ?? start) { sent = $0 }
    return (code, sent)
  }

  @Test func `when thirty pictures wait one is -12, and then nothing is taken before a key frame`() {
    let desk = EncodedVideoDesk()
    desk.setTracks([1])
    #expect(push(desk, keyFrame).0 == .ok)
    for _ in 1..<30 { #expect(push(desk, delta).0 == .ok) }
    #expect(push(desk, delta).0 == .tooOften)
    #expect(push(desk, keyFrame).0 == .tooOften)
    desk.taken(1)
    #expect(push(desk, delta).0 == .tooOften)
    #expect(push(desk, keyFrame).1?.isKeyFrame == true)
    desk.taken(1)
    #expect(push(desk, delta).0 == .ok)
    // Another track of that time has nothing to do with it, and one that is gone takes nothing.
    desk.setTracks([2])
    #expect(push(desk, keyFrame).0 == .invalidArgument)
    desk.taken(1)
  }

  @Test func `times grow even where the application's do not`() {
    let desk = EncodedVideoDesk()
    desk.setTracks([1])
    let times = [0, 33, 33, 20, 66].map { start + .milliseconds(Int64($0)) }
    let stamps = times.compactMap { push(desk, keyFrame, at: $0, now: start).1?.timestamp }
    #expect(stamps.map { $0 &- stamps[0] } == [0, 2_970, 2_971, 2_972, 5_940])
    #expect(push(desk, keyFrame).1?.captureTime == start)
  }

  @Test func `a key frame without a size, or encrypted already, is no picture`() {
    let desk = EncodedVideoDesk()
    desk.setTracks([1])
    var empty = keyFrame
    empty[6] = 0
    #expect(push(desk, empty).0 == .invalidArgument)
    #expect(push(desk, [0x10, 0, 0, 0x53, 0x46, 0x31, 64, 0, 48, 0]).0 == .invalidArgument)
    let frame = push(desk, keyFrame).1
    #expect(frame?.width == 64 && frame?.height == 48 && frame?.data == keyFrame)
  }
}
