import Dispatch
import MediaBase
import MediaEngine
import TestSupport
import Testing

@testable import CallAPI

/// Reads a text as the call queue does, and lets machines in all states take what comes of it.
private func read(_ text: String) async -> CallMessage? {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      let message = try? CallMessage(text: text)
      if let message { deliver(message) }
      continuation.resume(returning: message)
    }
  }
}

private func deliver(_ message: CallMessage) {
  for state in 0..<4 {
    let now = CallInstant(monotonic: .zero + .seconds(Int64(1)), wallMilliseconds: 1)
    var machine = CallStateMachine(userID: state == 3 ? .max : 1)
    if state > 0 {
      let configuration = PrepareConfiguration(roomID: "R", isFirstFrameWaitingDisabled: true)
      _ = machine.prepare(configuration, completion: nil, now: now)
    }
    if state > 1 {
      _ = machine.call(message.fromUserID, type: .video, callID: message.callID, completion: nil, now: now)
    }
    _ = machine.receive(message, now: now)
    _ = machine.accept(message.fromUserID, completion: nil, now: now)
    _ = machine.receive(message, now: now)
    _ = machine.deinitialize(completion: nil, now: now)
  }
}

@Suite("Hostile messages of calls", .timeLimit(.minutes(10)), .ownThread)
struct HostileMessageTests {
  @Test("mutated messages are read or refused", arguments: Array(UInt64(1)...8))
  func mutated(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "null", "true", "-0", "1e999", "-1e-999", "99999999999999999999999999", "\"", "\\u0000", "\\ud800", "{", "}", "[",
      "]", ",", ":", "\u{feff}", "\"message_action\":10,",
    ]
    for _ in 0..<300 {
      var bytes = Array(CallMessage.random(&random).text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<max(bytes.count, 1), using: &random)
        let end = min(position + Int.random(in: 0...8, using: &random), bytes.count)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(position..<end)
        case 1: bytes.insert(contentsOf: bytes[position..<end], at: position)
        case 2: bytes.replaceSubrange(position..<end, with: (pieces.randomElement(using: &random) ?? "").utf8)
        default: if position < bytes.count { bytes[position] = .random(in: .min ... .max, using: &random) }
        }
        if bytes.isEmpty { break }
      }
      _ = await read(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("random bytes are refused")
  func randomBytes() async {
    var random = SeededRandom(seed: 77)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(await read(String(decoding: bytes, as: UTF8.self)) == nil)
    }
  }

  @Test(
    "deep nesting is read or refused, at any depth that a message has room for", arguments: [10, 100, 500, 600, 16_000])
  func nesting(depth: Int) async {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let depth = min(depth, 32_000 / (open.count + close.count))
      let inner = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      let message = await read(messageText(more: #","fromRoomId":"R","fromUserExtension":{"x":\#(inner)}"#))
      #expect((message?.fromUserExtension?["x"] != nil) == (depth <= 30))
      // Never closed.
      _ = await read(messageText(more: #","fromUserExtension":{"x":\#(String(repeating: open, count: depth))"#))
    }
  }

  @Test("a message full of values as deep as allowed is read")
  func manyDeepValues() async {
    let value = String(repeating: "[", count: 29) + "1" + String(repeating: "]", count: 29)
    let values = [String](repeating: value, count: 50).joined(separator: ",")
    let message = await read(messageText(more: #","fromRoomId":"R","fromUserExtension":{"x":[\#(values)]}"#))
    #expect(message?.fromUserExtension?["x"] != nil)
  }

  @Test("huge and odd numbers are read or refused")
  func numbers() async {
    let numbers = [
      "9223372036854775807", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1e18", "1e19",
      "1e308", "1e309", "-1e309", "1e-400", "0.1", "-0", "-1", String(repeating: "9", count: 20_000),
      "0." + String(repeating: "0", count: 20_000) + "1",
    ]
    for number in numbers {
      for field in ["message_timestamp", "messageId", "remoteUserId", "rejectByInternal", "cancelCallByInternal"] {
        _ = await read(messageText(more: #","callId":"c","fromRoomId":"R","\#(field)":\#(number)"#))
      }
      for action in ["0", "1", "2", "3", "4", "10"] { _ = await read(messageText(action: action, from: number)) }
      _ = await read(messageText(more: #","fromRoomId":"R","fromUserExtension":{"x":[\#(number)]}"#))
    }
  }

  @Test("the largest users' numbers are no trouble in the details of connected")
  func largestNumbers() async {
    let message = await read(messageText(from: String(UInt.max), more: #","fromRoomId":"R","callId":"c""#))
    #expect(message?.fromUserID == .max)
  }

  @Test("a message as long as signalling allows is read")
  func longest() async {
    let start = messageText(more: #","fromRoomId":"R","fromUserExtension":{"x":""#)
    let room = 32_768 - start.utf8.count - 3
    let text = start.dropLast() + String(repeating: "x", count: room) + #""}}"#
    #expect(await read(String(text))?.fromUserExtension?["x"]?.text?.count == room)
    #expect(text.utf8.count <= 32_768)
  }
}
