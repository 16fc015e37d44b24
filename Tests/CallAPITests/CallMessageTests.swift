import MediaBase
import Testing

@testable import CallAPI

/// The fields of a message that every reader needs, and more.
func messageText(
  action: String = "0", version: String = #""1.0""#, from: String = "7", more: String = ""
) -> String {
  #"{"message_action":\#(action),"message_version":\#(version),"fromUserId":\#(from)\#(more)}"#
}

extension CallMessage {
  /// A message of any kind with only fields that belong to it.
  static func random(_ random: inout SeededRandom) -> CallMessage {
    let actions: [CallAction] = [.videoCall, .cancelCall, .accept, .reject, .hangup, .audioCall]
    let action = actions[Int.random(in: 0..<actions.count, using: &random)]
    var message = CallMessage(
      action, fromUserID: .random(in: 0...UInt(UInt32.max), using: &random), callID: .random(&random))
    message.timestamp = .random(in: 0...(1 << 50), using: &random)
    if Bool.random(using: &random) { message.messageID = .random(in: .min ... .max, using: &random) }
    if Bool.random(using: &random) {
      message.fromUserExtension = ["x": .random(&random, depth: 3), "y" + .random(&random): .null]
    }
    switch action {
    case .videoCall, .audioCall:
      message.remoteUserID = .random(in: 0...UInt.max, using: &random)
      message.fromRoomID = .random(&random)
    case .cancelCall: message.isCancelledByTimer = .random(using: &random)
    case .reject:
      message.rejectReason = Bool.random(using: &random) ? .random(&random) : nil
      message.isRejectedByBusyness = .random(using: &random)
    case .hangup: message.hangupReason = Bool.random(using: &random) ? .random(&random) : nil
    case .accept: break
    }
    return message
  }
}

extension String {
  /// A text of characters that are hard on writers of JSON.
  fileprivate static func random(_ random: inout SeededRandom) -> String {
    let characters: [Character] = [
      "a", "\"", "\\", "/", "\n", "\u{0}", "\u{1f}", "é", "鹿", "🎥", " ", "\u{2028}", "\u{7f}",
    ]
    return String(
      (0..<Int.random(in: 0...6, using: &random)).map { _ in characters.randomElement(using: &random) ?? "b" })
  }
}

extension JSONValue {
  static func random(_ random: inout SeededRandom, depth: Int) -> JSONValue {
    switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .integer(.random(in: .min ... .max, using: &random))
    // A half: never a whole number, which would be read as one.
    case 3: .number(Double(Int32.random(in: .min ... .max, using: &random)) + 0.5)
    case 4: .string(.random(&random))
    case 5: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in .random(&random, depth: depth - 1) })
    default: .object([.random(&random): .random(&random, depth: depth - 1)])
    }
  }
}

@Suite("Messages of calls as text")
struct CallMessageTests {
  @Test("a call is written with the fields and names of the protocol")
  func callAsText() {
    var message = CallMessage(.videoCall, fromUserID: 1, callID: "c")
    message.timestamp = 5
    message.messageID = 3
    message.remoteUserID = 2
    message.fromRoomID = "R/1"
    message.fromUserExtension = ["name": "one"]
    #expect(
      message.text == #"""
        {"callId":"c","fromRoomId":"R/1","fromUserExtension":{"name":"one"},"fromUserId":1,"messageId":3,\#
        "message_action":0,"message_timestamp":5,"message_version":"1.0","remoteUserId":2}
        """#)
    #expect(message.info["messageId"] == nil && message.info["fromRoomId"] == "R/1")
  }

  @Test("what is written is read as it was", arguments: [UInt64(1), 2, 3])
  func roundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let message = CallMessage.random(&random)
      #expect(try CallMessage(text: message.text) == message)
    }
  }

  @Test("numbers that JSON does not know and values too deep cost the extension, not the message")
  func outsideJSON() throws {
    let deep = (0..<40).reduce(JSONValue.null) { value, _ in .array([value]) }
    for value in [JSONValue.number(.nan), .number(.infinity), .number(-.infinity), deep] {
      var message = CallMessage(.accept, fromUserID: 1, callID: "c")
      message.fromUserExtension = ["x": value]
      #expect(try CallMessage(text: message.text).fromUserExtension == [:])
    }
  }

  @Test("the other implementations' variants are understood")
  func variants() throws {
    let server = try CallMessage(text: messageText(more: #","fromRoomId":"M","callId":"c","unknown":[{}]"#))
    #expect(server.messageID == nil && server.fromRoomID == "M" && server.callID == "c")
    #expect(try CallMessage(text: messageText(action: "1")).isCancelledByTimer == false)
    #expect(try CallMessage(text: messageText(action: "3", more: #","rejectReason":"""#)).rejectReason == "")
    #expect(try CallMessage(text: messageText(action: "4", more: #","hangupReason":null"#)).hangupReason == nil)
    #expect(try CallMessage(text: messageText(more: #","message_timestamp":1.7e12"#)).timestamp == 1_700_000_000_000)
  }

  @Test(
    "what is not a message is refused",
    arguments: [
      "", "{", "[]", "null", "7", "\"text\"", "{}", #"{"message_action":0}"#, messageText(version: #""2.0""#),
      messageText(version: "1.0"), messageText(version: "null"), messageText(action: "5"), messageText(action: "-1"),
      messageText(action: "9"), messageText(action: #""0""#), messageText(action: "null"), messageText(action: "true"),
      messageText(action: "99999999999999999999"), messageText(action: "1e400"), messageText(action: "0.5"),
      messageText(from: "-1"), messageText(from: "18446744073709551616"), messageText(from: #""7""#),
      messageText(from: "{}"), messageText(more: #","callId":5"#), messageText(more: #","fromRoomId":["R"]"#),
      messageText(more: #","messageId":9223372036854775808"#), messageText(more: #","fromUserExtension":[]"#),
      messageText(action: "3", more: #","rejectByInternal":"1""#),
      #"{"message_version":"1.0","fromUserId":7,"callId":"no action"}"#, messageText() + "x",
    ])
  func refused(_ text: String) { #expect(throws: (any Error).self) { try CallMessage(text: text) } }
}
