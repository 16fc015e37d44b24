import MediaBase
import TestSupport
import Testing
import WebSocketWire

/// What comes of bytes, given in one piece or in pieces of `step` bytes.
private func read(
  _ bytes: [UInt8], from sender: WebSocketReceiver.Sender = .client, limit: Int = 1_000, step: Int = .max
) -> (events: [WebSocketReceiver.Event], violation: WebSocketViolation?) {
  var receiver = WebSocketReceiver(from: sender, maximumMessageByteCount: limit)
  var events: [WebSocketReceiver.Event] = []
  var offset = 0
  while offset < bytes.count {
    var piece = Array(bytes[offset..<min(bytes.count, step == .max ? bytes.count : offset + step)])
    offset += piece.count
    let violation = piece.withUnsafeMutableBytes { piece -> WebSocketViolation? in
      do throws(WebSocketViolation) {
        try receiver.receive(piece, now: .zero) { events.append($0) }
        return nil
      } catch { return error }
    }
    if let violation { return (events, violation) }
  }
  return (events, nil)
}

private func frame(_ first: UInt8, _ payload: [UInt8], key: [UInt8]? = [0, 0, 0, 0]) -> [UInt8] {
  let length: [UInt8] =
    payload.count < 126 ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
  let masked = key.map { key in payload.enumerated().map { $1 ^ key[$0 & 3] } } ?? payload
  return [first, length[0] | (key == nil ? 0 : 0x80)] + length.dropFirst() + (key ?? []) + masked
}

@Suite struct WebSocketReceiverTests {
  /// RFC 6455 section 5.7.
  @Test("the examples of the RFC are read as it says", arguments: [1, 2, 3, .max])
  func examples(step: Int) {
    let whole: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    #expect(read(whole, from: .server, step: step).events == [.text("Hello")])
    let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    #expect(read(masked, step: step).events == [.text("Hello")])
    let parts: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
    #expect(read(parts, from: .server, step: step).events == [.text("Hello")])
    let ping: [UInt8] = [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    #expect(read(ping, from: .server, step: step).events == [.ping(Array("Hello".utf8))])
    let pong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    #expect(read(pong, step: step).events == [.pong(Array("Hello".utf8))])
    // 256 bytes and 64 KiB, as binary messages there.
    let text = String(repeating: "x", count: 65_536)
    let middle: [UInt8] = [0x81, 0x7E, 0x01, 0x00] + text.utf8.prefix(256)
    #expect(read(middle, from: .server, step: step).events == [.text(String(text.prefix(256)))])
    let long: [UInt8] = [0x81, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + text.utf8
    #expect(read(long, from: .server, limit: 65_536, step: step == 1 ? 7 : step).events == [.text(text)])
  }

  @Test("what is written is the RFC's examples, and is read again")
  func writing() {
    var bytes: [UInt8] = []
    WebSocketFrame.appendText("Hello", maskingKey: 0x37FA_213D, to: &bytes)
    #expect(bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    bytes = []
    WebSocketFrame.append(.ping, Array("Hello".utf8), to: &bytes)
    #expect(bytes == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    for count in [0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 100_000] {
      let text = String(repeating: "ä", count: count / 2) + (count % 2 == 1 ? "x" : "")
      bytes = []
      WebSocketFrame.appendText(text, maskingKey: 0x0102_03FF, to: &bytes)
      for step in [1_000, 4_097, .max] {
        #expect(read(bytes, limit: 100_000, step: step).events == [.text(text)], "\(count) bytes")
      }
    }
  }

  @Test("control frames may stand between the parts of a text, whose characters may be cut")
  func fragments() {
    let text = Array("aä€😀".utf8)
    let bytes =
      frame(0x01, Array(text[..<2]), key: [1, 2, 3, 4]) + frame(0x89, [7]) + frame(0x00, [])
      + frame(0x00, Array(text[2..<7]), key: [9, 0, 255, 3]) + frame(0x8A, []) + frame(0x80, Array(text[7...]))
      + frame(0x81, Array("next".utf8))
    for step in [1, 2, 5, .max] {
      let (events, violation) = read(bytes, step: step)
      #expect(events == [.ping([7]), .pong([]), .text("aä€😀"), .text("next")] && violation == nil)
    }
  }

  @Test("a close frame ends it, with or without code and reason")
  func closing() {
    #expect(read(frame(0x88, []) + frame(0x81, [0x61])).events == [.close(nil, reason: "")])
    #expect(read(frame(0x88, [0x03, 0xE8])).events == [.close(.normal, reason: "")])
    let away = frame(0x88, [0x0F, 0xA1] + Array("ä".utf8))
    #expect(read(away, step: 1).events == [.close(WebSocketCloseCode(rawValue: 4_001), reason: "ä")])
    for code in [0, 999, 1_004, 1_005, 1_006, 1_015, 1_016, 2_999, 5_000, 65_535] as [UInt16] {
      let bytes = frame(0x88, [UInt8(code >> 8), UInt8(code & 255)])
      #expect(read(bytes).violation == .malformedClose, "\(code)")
      var written: [UInt8] = []
      WebSocketFrame.appendClose(WebSocketCloseCode(rawValue: code), reason: "x", to: &written)
      #expect(written == [0x88, 0])
    }
    #expect(read(frame(0x88, [3])).violation == .malformedClose)
    #expect(read(frame(0x88, [3, 0xE8, 0xFF])).violation == .malformedClose)
    var written: [UInt8] = []
    WebSocketFrame.appendClose(.normal, reason: String(repeating: "€", count: 100), to: &written)
    #expect(written.count == 2 + 2 + 123 - 123 % 3)
    #expect(read(written, from: .server).events == [.close(.normal, reason: String(repeating: "€", count: 41))])
  }

  @Test("what breaks a rule is a violation with the code of the RFC, whole or in pieces", arguments: [1, .max])
  func violations(step: Int) {
    let cases: [([UInt8], WebSocketViolation, UInt16)] = [
      (frame(0xC1, []), .reservedBits, 1_002), (frame(0x91, []), .reservedBits, 1_002),
      (frame(0x83, []), .unknownOpcode(3), 1_002), (frame(0x8B, []), .unknownOpcode(11), 1_002),
      (frame(0x81, [0x61], key: nil), .wrongMasking, 1_002), (frame(0x82, []), .binary, 1_003),
      (frame(0x80, []), .wrongOrder, 1_002), (frame(0x01, []) + frame(0x81, []), .wrongOrder, 1_002),
      (frame(0x09, []), .malformedControlFrame, 1_002),
      (frame(0x89, [UInt8](repeating: 0, count: 126)), .malformedControlFrame, 1_002),
      ([0x81, 0xFE, 0, 125, 0, 0, 0, 0], .malformedLength, 1_002),
      ([0x81, 0xFF, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0], .malformedLength, 1_002),
      ([0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .malformedLength, 1_002),
      (frame(0x81, [0xC0, 0x80]), .notUTF8, 1_007), (frame(0x81, [0xED, 0xA0, 0x80]), .notUTF8, 1_007),
      (frame(0x01, [0xE2, 0x82]) + frame(0x80, []), .notUTF8, 1_007),
      ([0x81, 0xFE, 0x03, 0xE9, 0, 0, 0, 0], .messageTooLong(maximumByteCount: 1_000), 1_009),
      (
        [0x81, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0], .messageTooLong(maximumByteCount: 1_000),
        1_009
      ),
      (
        frame(0x01, [UInt8](repeating: 0x61, count: 600)) + frame(0x00, [UInt8](repeating: 0x61, count: 401)),
        .messageTooLong(maximumByteCount: 1_000), 1_009
      ),
    ]
    for (bytes, expected, code) in cases {
      let (events, violation) = read(frame(0x81, Array("before".utf8)) + bytes, step: step)
      #expect(violation == expected && events == [.text("before")])
      #expect(expected.closeCode.rawValue == code && expected.description.utf8.count <= 123)
    }
  }

  @Test("control frames and empty parts without end are a violation, unless texts or time stand between them")
  func overhead() {
    let ping = frame(0x89, [UInt8](repeating: 0, count: 125))
    #expect(read(Array(repeating: ping, count: 1_000).flatMap(\.self)).violation == .tooMuchBesideTexts)
    #expect(
      read(frame(0x01, []) + Array(repeating: frame(0x00, []), count: 10_000).flatMap(\.self)).violation
        == .tooMuchBesideTexts)
    let mixed = Array(repeating: ping + frame(0x81, [0x61]), count: 1_000).flatMap(\.self)
    #expect(read(mixed).violation == nil && read(mixed, step: 77).events.count == 2_000)
    var receiver = WebSocketReceiver(from: .client, maximumMessageByteCount: 1_000)
    for second in 0..<10_000 {
      var pong = frame(0x8A, [])
      #expect(throws: Never.self) {
        try pong.withUnsafeMutableBytes {
          try receiver.receive($0, now: .zero + .seconds(Int64(second))) { _ in }
        }
      }
    }
  }

  @Test("whatever comes ends in events or a violation, and pieces make no difference")
  func randomBytes() {
    var random = SeededRandom(seed: 6_455)
    for _ in 0..<2_000 {
      let parts = (0..<Int.random(in: 1...4, using: &random)).flatMap { _ -> [UInt8] in
        let first = [0x01, 0x80, 0x81, 0x88, 0x89, 0x8A, UInt8.random(in: 0...255, using: &random)].randomElement(
          using: &random)
        let payload = (0..<Int.random(in: 0...130, using: &random)).map { _ in
          UInt8.random(in: 0x20...0x90, using: &random)
        }
        return frame(first ?? 0, payload, key: [1, 2, 3, 4])
      }
      let bytes = Array(parts.prefix(Int.random(in: 0...parts.count, using: &random)))
      let whole = read(bytes, limit: 300)
      for step in [1, 3, 64] {
        let pieces = read(bytes, limit: 300, step: step)
        #expect(pieces.events == whole.events && pieces.violation == whole.violation)
      }
    }
  }
}
