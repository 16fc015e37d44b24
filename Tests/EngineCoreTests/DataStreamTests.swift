import ControlWire
import EngineCore
import MediaBase
import Testing

@Suite struct DataStreamTests {
  private let now = MediaInstant(nanoseconds: 0)

  @Test func `there are five streams, numbered from 1`() throws {
    var sender = DataStreamSender()
    for number in 1...5 { #expect(try sender.createStream() == number) }
    #expect(throws: EngineErrorCode.tooManyDataStreams) { try sender.createStream() }
  }

  @Test func `messages have 1 to 1,024 bytes and a stream that exists`() throws {
    var sender = DataStreamSender()
    _ = try sender.createStream()
    #expect(try sender.nextSequence(stream: 1, byteCount: 1_024, now: now) == 1)
    #expect(throws: EngineErrorCode.sizeTooLarge) { try sender.nextSequence(stream: 1, byteCount: 1_025, now: now) }
    for stream in [0, 2, -1, .min, .max] {
      #expect(throws: EngineErrorCode.invalidArgument) {
        try sender.nextSequence(stream: stream, byteCount: 1, now: now)
      }
    }
    #expect(throws: EngineErrorCode.invalidArgument) { try sender.nextSequence(stream: 1, byteCount: 0, now: now) }
    #expect(try sender.nextSequence(stream: 1, byteCount: 1, now: now) == 2)
  }

  @Test func `six kilobytes and thirty messages a second may be sent, and no more`() throws {
    var sender = DataStreamSender()
    _ = try sender.createStream()
    for _ in 0..<6 { _ = try sender.nextSequence(stream: 1, byteCount: 1_024, now: now) }
    #expect(throws: EngineErrorCode.bitrateLimit) { try sender.nextSequence(stream: 1, byteCount: 1_024, now: now) }
    let later = now + .seconds(10)
    for _ in 0..<30 { _ = try sender.nextSequence(stream: 1, byteCount: 1, now: later) }
    #expect(throws: EngineErrorCode.bitrateLimit) { try sender.nextSequence(stream: 1, byteCount: 1, now: later) }
  }

  @Test func `messages go out in the channel only, and come in with their sender and stream`() {
    let bench = CoreBench()
    bench.act { $0.sendStreamMessage(streamID: 1, sequence: 1, data: [1], now: $1) }
    bench.joinWithMedia(users: [CoreBench.user(1)])
    bench.act { $0.sendStreamMessage(streamID: 1, sequence: 2, data: [0xAB, 0], now: $1) }
    let sent = bench.commands.compactMap {
      if case .send(.streamMessage(let message)) = $0 { message } else { nil }
    }
    #expect(sent == [StreamMessageRequest(streamID: 1, sequence: 2, data: "ab00")])
    bench.respond(.streamMessage(StreamMessageResponse(uid: 1, streamID: 2, sequence: 9, data: "00FF")))
    #expect(transcript(bench.events).last == "data 1/2 [0, 255]")
  }

  @Test func `a gap is reported with its length, a repetition dropped, a new life of the sender no gap`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1)])
    func receive(_ sequence: Int) {
      bench.respond(.streamMessage(StreamMessageResponse(uid: 1, streamID: 1, sequence: sequence, data: "07")))
    }
    for sequence in [4, 5, 5, 9, 1, 2] { receive(sequence) }
    #expect(
      transcript(bench.events).filter { $0.hasPrefix("data") } == [
        "data 1/1 [7]", "data 1/1 [7]", "data 1/1 missed 3", "data 1/1 [7]", "data 1/1 [7]", "data 1/1 [7]",
      ])
  }

  @Test(arguments: ["0", "zz", "0g"]) func `data that is no hexadecimal text is dropped`(text: String) {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1)])
    let before = bench.events.count
    bench.respond(.streamMessage(StreamMessageResponse(uid: 1, streamID: 1, sequence: .max, data: text)))
    bench.respond(.streamMessage(StreamMessageResponse(uid: 1, streamID: .min, sequence: .min, data: "00")))
    bench.respond(.streamMessage(StreamMessageResponse(uid: 9, streamID: 1, sequence: 1, data: "00")))
    #expect(bench.events.count == before)
  }
}
