import ControlWire
import Foundation
import MediaBase
import Testing
import WebSocketIO

@Suite("Hostile control messages") struct HostileMessageTests {
  @Test("deep nesting and numbers or texts that cannot be are errors, not ends of the process")
  func extremes() {
    // Not as arguments: the log would be full of them.
    for text in [
      String(repeating: "[", count: 100_000), String(repeating: #"{"type":"#, count: 50_000),
      #"{"type":"leave","x":"# + String(repeating: "[", count: 50_000) + String(repeating: "]", count: 50_000) + "}",
      #"{"type":"update","requestID":"# + String(repeating: "9", count: 100_000) + "}",
      #"{"type":"update","requestID":1e999}"#, #"{"type":"update","requestID":9223372036854775808}"#,
      #"{"type":"update","requestID":1,"token":"\ud800"}"#, #"{"type":"leave"} {}"#,
    ] {
      #expect(throws: ControlMessageError.self, "\(text.prefix(60))") {
        try ControlMessageCoding.decode(ChannelRequest.self, from: text)
      }
    }
  }

  @Test(
    "the name of a member in an error is cut: it may be the other side's, also what people take for one character",
    arguments: ["x", "\u{301}", "\u{1F600}"])
  func longNames(part: String) {
    let users = "{\"a" + String(repeating: part, count: 10_000) + "\":1}"
    let text =
      #"{"type":"update","requestID":1,"subscribe":{"everyone":{"audio":true,"video":true},"users":"# + users + "}}"
    do throws(ControlMessageError) {
      _ = try ControlMessageCoding.decode(ChannelRequest.self, from: text)
      Issue.record("decoded")
    } catch { #expect(error.description.utf8.count < 250) }
  }

  @Test("texts are cut to a number of bytes, at the end of what is whole")
  func prefixes() {
    let text = "a\u{E9}\u{20AC}\u{1F600}"
    let expected = ["", "a", "a", "aé", "aé", "aé", "aé€", "aé€", "aé€", "aé€", text, text]
    #expect((0..<12).map { text.prefix(byteCount: $0) } == expected)
    #expect(text.prefix(byteCount: -1).isEmpty)
  }

  @Test("random changes of messages never trap, and what still decodes can be sent on", arguments: 0..<4)
  func mutations(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let samples = MessageSample.all
    var decodedCount = 0
    for _ in 0..<4_000 {
      let sample = samples[Int.random(in: samples.indices, using: &random)]
      let text = mutate(Array(sample.text.utf8), samples, &random)
      // Read by the reader of another kind too.
      for reader in [sample, samples[Int.random(in: samples.indices, using: &random)]] {
        guard let again = try? reader.recode(text) else { continue }
        decodedCount += 1
        #expect((try? reader.recode(again)) != nil, "\(text)")
      }
    }
    #expect(decodedCount > 20)
  }

  /// A message with one to three changes: of a byte, a piece lost or doubled, or a piece of another message put in.
  private func mutate(_ bytes: [UInt8], _ samples: [MessageSample], _ random: inout SeededRandom) -> String {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let start = Int.random(in: bytes.indices, using: &random)
      let piece = start..<min(bytes.count, start + Int.random(in: 1...12, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[start] = Array("\"{}[]:,\\0123456789-e.tfnu".utf8).randomElement(using: &random) ?? 0
      case 2: bytes.removeSubrange(piece)
      case 3: bytes.insert(contentsOf: bytes[piece], at: start)
      default:
        let other = Array(samples[Int.random(in: samples.indices, using: &random)].text.utf8)
        let from = Int.random(in: other.indices, using: &random)
        bytes.replaceSubrange(piece, with: other[from..<min(other.count, from + 20)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("Limits of control messages") struct LimitTests {
  @Test("the longest text fits into the longest message, however it is escaped")
  func longestText() throws {
    for character in ["\u{1}", "\"", "\u{7F}", "é", "😀", "\u{2028}"] {
      let text = String(repeating: character, count: SendRequest.maximumMessageByteCount / character.utf8.count)
      let send = SignalRequest.send(SendRequest(requestID: .min, to: .max, message: text))
      #expect(try ControlMessageCoding.encode(send).utf8.count <= ControlProtocol.maximumMessageByteCount)
    }
  }

  @Test("uids are 1 to 2^32 - 1")
  func uids() {
    #expect(([1, 17, 4_294_967_295] as [UInt]).allSatisfy(ControlProtocol.isValidUID))
    #expect(!([0, 4_294_967_296, .max] as [UInt]).contains(where: ControlProtocol.isValidUID))
  }

  @Test("channel names have 1 to 63 bytes of the documented characters")
  func channelNames() {
    let allowed = "abcxyzABCXYZ0189 !#$%&()+-:;<=.>?@[]^_{}|~,"
    for value in UInt8.min...(.max) {
      let character = String(UnicodeScalar(value))
      #expect(ControlProtocol.isValidChannelName(character) == (allowed + alphanumeric).contains(character))
    }
    #expect(ControlProtocol.isValidChannelName(String(repeating: "x", count: 63)))
    for name in ["", String(repeating: "x", count: 64), "a\0", "a\n", "a/b", "a\"", "ä", "x\u{301}", "１"] {
      #expect(!ControlProtocol.isValidChannelName(name))
    }
  }

  private let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
}
