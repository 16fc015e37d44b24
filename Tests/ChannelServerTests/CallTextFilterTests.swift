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

  @Test(
    "what is no JSON to the sides of a call is no message, whatever else reads it",
    arguments: ["\u{FEFF}{\"message_action\":0,", "\0{\"message_action\":0,", "{\"message_action\0\":0,"])
  func notJSON(beginning: String) { #expect(throws: (any Error).self) { try CallSignal(text: beginning + Self.rest) } }

  @Test(
    "texts of other applications are not decoded",
    arguments: ["", " ", "hello", "[1]", #"{"action":0}"#, #""message_action""#, #"{"a":"\u2026"}"#])
  func others(text: String) { #expect(!CallTextFilter.mayBeCallMessage(text)) }
}
