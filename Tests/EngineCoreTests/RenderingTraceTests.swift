import EngineCore
import MediaBase
import Testing

@Suite struct RenderingTraceTests {
  private func at(_ milliseconds: Int64) -> MediaInstant { MediaInstant(nanoseconds: milliseconds * 1_000_000) }

  @Test func `a trace has the length of each step, and is made once for each event`() {
    var book = RenderingTraceBook(join: at(1_000))
    book.connectionJoined(now: at(1_200))
    book.userJoined(7, now: at(1_500))
    book.viewSet(7, now: at(1_510))
    book.subscribed(7, now: at(1_520))
    book.packetReceived(7, now: at(1_560))
    let info = book.finish(7, .videoDecoded, now: at(1_600))
    #expect(info?.elapsedTime == 600)
    #expect(info?.start2JoinChannel == 0)
    #expect(info?.join2JoinSuccess == 200)
    #expect(info?.joinSuccess2RemoteJoined == 300)
    #expect(info?.remoteJoined2SetView == 10)
    #expect(info?.remoteJoined2UnmuteVideo == 20)
    #expect(info?.remoteJoined2PacketReceived == 60)
    #expect(book.finish(7, .videoDecoded, now: at(1_700)) == nil)
    #expect(book.finish(7, .videoRendered, now: at(1_700))?.elapsedTime == 700)
    #expect(book.finish(8, .videoDecoded, now: at(1_700)) == nil)
  }

  @Test func `tracing that begins later counts from there`() {
    var book = RenderingTraceBook(join: at(0))
    book.connectionJoined(now: at(100))
    book.userJoined(7, now: at(200))
    book.restart(now: at(5_000))
    book.viewSet(7, now: at(5_050))
    let info = book.finish(7, .videoRendered, now: at(5_100))
    #expect(info?.elapsedTime == 100)
    #expect(info?.join2JoinSuccess == 0)
    #expect(info?.joinSuccess2RemoteJoined == 0)
    #expect(info?.remoteJoined2SetView == 50)
  }

  @Test func `a canvas that was there before the user took no time, and who comes again is traced again`() {
    var book = RenderingTraceBook(join: at(0))
    book.viewSet(7, now: at(10))
    book.userJoined(7, now: at(200))
    #expect(book.finish(7, .videoRendered, now: at(300))?.remoteJoined2SetView == 0)
    book.userOffline(7)
    book.userJoined(7, now: at(400))
    #expect(book.finish(7, .videoRendered, now: at(500)) != nil)
  }
}
