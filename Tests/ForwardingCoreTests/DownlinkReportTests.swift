import MediaBase
import RTPWire
import Testing

@testable import ForwardingCore

/// What subscribers are told of their paths.
@Suite struct DownlinkReportTests {
  private static var format: ForwardedFormat {
    var format = ForwardedFormat()
    format.wantsDownlinkReport = true
    return format
  }

  @Test func `who wants to know is told about once a second what its line carries and which encoding it gets`() throws {
    let room = DownlinkRoom(seed: 4)
    room.watch(2, bitsPerSecond: 900_000, format: Self.format)
    room.watch(3, bitsPerSecond: 900_000)
    room.run(seconds: 10)
    let told = try #require(room.simulcast.viewers[2]).downlinkReports
    #expect((8...12).contains(told.count))
    #expect(told.suffix(3).allSatisfy { (500_000...1_000_000).contains($0.bitrate ?? 0) })
    #expect(told.suffix(3).allSatisfy { ($0.queueDelay ?? .seconds(9)) <= .milliseconds(300) })
    let last = told.last?.videos
    #expect(last == [DownlinkReport.Video(ssrc: video, layer: 1, layerCount: 3, isPaused: false)])
    #expect(room.simulcast.layer() == 1)
    room.lines[2]?.bitsPerSecond = 30_000
    room.run(seconds: 6)
    #expect(room.simulcast.viewers[2]?.downlinkReports.last?.videos.first?.isPaused == true)
    #expect(room.simulcast.viewers[3]?.downlinkReports.isEmpty == true)
  }

  @Test func `nothing is told to who gets no video and whose path is not known`() {
    let room = SimulcastRoom(layers: 1)
    let idle = room.room.join(5, format: Self.format)
    room.run(milliseconds: 3_000)
    #expect(idle.downlinkReports.isEmpty)
  }
}
