import CallSupervision
import Testing

@testable import ChannelServer

@Suite struct CallTextFilterTests {
  private static let rest = #""message_version":"1.0","fromUserId":1,"callId":"c","fromRoomId":"r"}"#

  @Test(
    "a message of a call is seen however its JSON is written",
    arguments: [
      #"{"message_action":0,"#, #" {"message_action":0,"#, "\r\n\t {\"message_action\":0,",
      #"{"message\u005faction":0,"#, #"{"message\u005Faction":0,"#, #"{"\u006Dessage_action":0,"#,
    ])
  func odd(beginning: String) throws {
    let text = beginning + Self.rest
    #expect(CallTextFilter.mayBeCallMessage(text))
    #expect(try CallSignal(text: text).action == .videoCall)
  }

  @Test("a message whose characters have two bytes each is seen too")
  func wide() {
    let text = (#"{"message_action":0,"# + Self.rest).map { "\0\($0)" }.joined()
    #expect(CallTextFilter.mayBeCallMessage(text))
  }

  @Test(
    "texts of other applications are not decoded",
    arguments: ["", " ", "hello", "[1]", #"{"action":0}"#, #""message_action""#, #"{"a":"\u2026"}"#])
  func others(text: String) { #expect(!CallTextFilter.mayBeCallMessage(text)) }
}
