import CallSupervision
import MediaBase
import TestSupport
import Testing

@testable import CallAPI

/// The server keeps records of calls by the messages that it sees pass. Nobody may get past it by writing them oddly.
@Suite("The server takes for a message of a call what the called user takes for one")
struct MessageAgreementTests {
  private static let call =
    #""message_version":"1.0","message_action":0,"fromUserId":3,"callId":"a","fromRoomId":"R3""#

  private func agree(_ text: String) -> Bool {
    guard let message = try? CallMessage(text: text) else { return false }
    let signal = try? CallSignal(text: text)
    #expect(signal != nil, "\(text)")
    guard let signal else { return true }
    #expect(
      signal.fromUserID == message.fromUserID && signal.callID == message.callID
        && signal.roomID == message.fromRoomID ?? "" && signal.action.rawValue == Int(message.action.rawValue),
      "\(text)")
    return true
  }

  @Test(
    "of members that come twice the last counts, values may be deep where nobody reads them, numbers may be large",
    arguments: [
      #"{"fromUserId":5,\#(call)}"#, #"{"callId":7,"fromUserId":"x",\#(call)}"#, #"{\#(call),"callId":"b"}"#,
      #"{\#(call),"x":\#(String(repeating: "[", count: 600) + String(repeating: "]", count: 600))}"#,
      #"{\#(call),"x":{"y":1e999}}"#, #"{"message_action":2,\#(call)}"#, #"{\#(call),"message_action":10.0}"#,
      #"{\#(call),"call\u0049d":"b"}"#, "\n\t{ \(call) }\r",
    ])
  func odd(text: String) { #expect(agree(text)) }

  @Test(
    "what is no message to the other side is none to the server", arguments: ["rejectReason", "callId", "messageId"])
  func neither(member: String) {
    let text = #"{\#(Self.call),"\#(member)":[]}"#
    #expect(throws: (any Error).self) { try CallMessage(text: text) }
    #expect(throws: (any Error).self) { try CallSignal(text: text) }
  }

  @Test("mutated messages are the same to both")
  func mutated() {
    var random = SeededRandom(seed: 5)
    let pieces = [
      #""callId":"x","#, #""fromUserId":4,"#, "1e3", "null", "[", "]", "\\u0061", " ", "-0", "{}", "\"a\":1,",
    ]
    var readCount = 0
    for _ in 0..<2_000 {
      var bytes = Array(CallMessage.random(&random).text.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let piece = pieces.randomElement(using: &random) ?? ""
        bytes.insert(contentsOf: piece.utf8, at: Bool.random(using: &random) ? 1 : position)
      }
      if agree(String(decoding: bytes, as: UTF8.self)) { readCount += 1 }
    }
    #expect(readCount > 500)
  }
}
