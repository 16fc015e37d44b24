/// Texts that come for messages of calls: whole ones, and ones with something wrong.
enum HostileTexts {
  private static let call =
    #""message_version":"1.0","message_action":0,"fromUserId":3,"callId":"a","fromRoomId":"R3""#

  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
  }

  static let all =
    [
      "", "null", "[]", "0", "\"text\"", "{", "{}", "{\(call)", "[{\(call)}]", "{\(call)}",
      #"{"message_version":"1.0","message_action":0,"fromUserId":3,"fromRoomId":"R3"}"#,
      // Members that come twice, numbers that are too large, halves of characters.
      #"{"fromUserId":5,"callId":7,\#(call)}"#, #"{\#(call),"callId":7}"#, #"{"x":"\ud800",\#(call),"x":1}"#,
      #"{\#(call),"x":"\ud83d\ude00\\ud800"}"#, #"{\#(call),"x":"\ud800\\\udc00"}"#, #"{\#(call),"\udc00":1}"#,
      #"{\#(call),"x":1e999}"#, #"{\#(call),"fromUserExtension":{"x":[-1e999]}}"#,
    ]
    + [
      #""message_version":"2.0""#, #""message_version":1.0"#, #""message_version":null"#, #""message_action":2"#,
      #""message_action":5"#, #""message_action":-1"#, #""message_action":"0""#, #""message_action":null"#,
      #""message_action":0.5"#, #""message_action":10.0"#, #""fromUserId":"3""#, #""fromUserId":-3"#,
      #""fromUserId":0"#,
      #""fromUserId":5"#, #""fromUserId":3.5"#, #""fromUserId":null"#, #""fromUserId":4294967295"#, #""callId":7"#,
      #""callId":null"#, #""callId":"\#(String(repeating: "x", count: 128))""#,
      #""callId":"\#(String(repeating: "x", count: 129))""#, #""callId":"\#(String(repeating: "é", count: 65))""#,
      #""callId":"""#, #""fromRoomId":7"#, #""fromRoomId":null"#, #""fromRoomId":"""#,
      #""fromUserExtension":null"#, #""fromUserExtension":[]"#, #""fromUserExtension":"x""#,
      #""fromUserExtension":{"deep":{"a":[1,2.5,true,null,"\u00e9\ud83d\ude00"]}}"#, #""message_timestamp":"now""#,
      #""message_timestamp":null"#, #""message_timestamp":-1"#, #""message_timestamp":1.5"#, #""messageId":"1""#,
      #""messageId":null"#, #""messageId":7"#, #""remoteUserId":"5""#, #""remoteUserId":-5"#, #""remoteUserId":null"#,
      #""rejectReason":7"#, #""rejectByInternal":true"#, #""rejectByInternal":2"#, #""cancelCallByInternal":"1""#,
      #""hangupReason":{}"#, #""unknown":{"a":1}"#, #""fromUserExtension":{"x":\#(nested(30))}"#,
      #""fromUserExtension":{"x":\#(nested(31))}"#, #""unknown":\#(nested(100))"#, #""unknown":\#(nested(600))"#,
    ].map { changed in
      // The member that is wrong replaces the right one.
      let name = changed.split(separator: ":")[0]
      let kept = call.split(separator: ",").filter { !$0.hasPrefix(name) }
      return "{" + (kept.map(String.init) + [changed]).joined(separator: ",") + "}"
    }

  /// Answers of user 3 to call `a`, with members of other types and values than usual.
  static let answers = [2, 1, 3, 4].flatMap { action in
    [
      #""rejectByInternal":1"#, #""rejectByInternal":2"#, #""rejectByInternal":1.0"#, #""rejectByInternal":null"#,
      #""cancelCallByInternal":1"#, #""cancelCallByInternal":2"#, #""cancelCallByInternal":false"#,
      #""rejectReason":null"#, #""rejectReason":"no""#, #""hangupReason":7"#, #""fromRoomId":"R3""#,
    ].map { #"{"message_version":"1.0","message_action":\#(action),"fromUserId":3,"callId":"a",\#($0)}"# }
  }
}
