import MediaBase
import Testing

@testable import EngineCore

@Suite struct RemoteTrackTests {
  private let again = MediaDuration.milliseconds(15_000)
  private let frozen = MediaDuration.milliseconds(500)

  private func time(_ milliseconds: Int64) -> MediaInstant { .zero + .milliseconds(milliseconds) }

  @Test func `the reason of decoding is what began the reception`() {
    var track = RemoteTrack()
    track.begin(cause: .remoteUnmuted)
    #expect(track.receivedPacket()?.phase == .starting)
    let first = track.receivedFrame(now: time(0), firstFrameAgain: again)
    #expect(first.change?.phase == .decoding)
    #expect(first.change?.reason == .remoteUnmuted)
    #expect(first.isFirst)
    #expect(track.end(reason: .localMuted, now: time(40))?.reason == .localMuted)
    track.begin(cause: .localUnmuted)
    let second = track.receivedFrame(now: time(80), firstFrameAgain: again)
    #expect(second.change?.reason == .localUnmuted)
    #expect(!second.isFirst)
  }

  @Test func `a track that never started does not report that it stops`() {
    var track = RemoteTrack()
    track.begin(cause: .remoteUnmuted)
    #expect(track.end(reason: .remoteMuted, now: time(0)) == nil)
  }

  @Test func `frames that come after the end are nothing`() {
    var track = RemoteTrack()
    track.begin(cause: .remoteUnmuted)
    _ = track.receivedFrame(now: time(0), firstFrameAgain: again)
    _ = track.end(reason: .remoteMuted, now: time(10))
    #expect(track.receivedFrame(now: time(20), firstFrameAgain: again).change == nil)
    #expect(track.receivedPacket() == nil)
    #expect(track.phase == .stopped)
  }

  @Test func `half a second without frames is frozen, and the next frame is recovery`() {
    var track = RemoteTrack()
    track.begin(cause: .remoteUnmuted)
    for milliseconds in stride(from: Int64(0), through: 330, by: 33) {
      _ = track.receivedFrame(now: time(milliseconds), firstFrameAgain: again)
    }
    #expect(track.freezeIfDue(now: time(829), after: frozen) == nil)
    #expect(track.freezeIfDue(now: time(830), after: frozen)?.reason == .networkCongestion)
    let change = track.receivedFrame(now: time(1_330), firstFrameAgain: again).change
    #expect(change?.phase == .decoding)
    #expect(change?.reason == .networkRecovery)
    #expect(track.freezeCount == 1)
    #expect(track.frozenTime == .milliseconds(1_000))
  }

  @Test func `a slow source is given three of its intervals before it counts as frozen`() {
    var track = RemoteTrack()
    track.begin(cause: .remoteUnmuted)
    for second in 0..<30 { _ = track.receivedFrame(now: time(Int64(second) * 400), firstFrameAgain: again) }
    #expect(track.freezeIfDue(now: time(29 * 400 + 600), after: frozen) == nil)
    #expect(track.freezeIfDue(now: time(29 * 400 + 1_300), after: frozen) != nil)
  }

  @Test func `a first frame is reported again after a long pause`() {
    var track = RemoteTrack()
    track.begin(cause: .remoteUnmuted)
    #expect(track.receivedFrame(now: time(0), firstFrameAgain: again).isFirst)
    #expect(!track.receivedFrame(now: time(14_999), firstFrameAgain: again).isFirst)
    #expect(track.receivedFrame(now: time(29_999), firstFrameAgain: again).isFirst)
  }
}
