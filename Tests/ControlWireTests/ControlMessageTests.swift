import ControlWire
import Foundation
import Testing
import WebSocketIO

@Suite("Control messages as JSON") struct ControlMessageTests {
  @Test("every message comes back as it was, and says its type", arguments: MessageSample.all)
  func roundTrip(sample: MessageSample) throws {
    #expect(sample.isEqual(sample.text))
    #expect(sample.text.contains(#""type":""#))
    #expect(JSONTree(try sample.recode(sample.text))?.text == JSONTree(sample.text)?.text)
  }

  @Test("unknown members are ignored, in every object", arguments: MessageSample.all)
  func unknownMembers(sample: MessageSample) throws {
    let tree = try #require(JSONTree(sample.text))
    // The keys of `users` are uids, so every member of it is known.
    for path in tree.memberPaths where !MessageSample.openObjects.contains(path.dropLast().last ?? "") {
      let more = tree.changed(at: path) { object, _ in object["future"] = ["deep": [1, NSNull(), "x"] as [Any]] }
      #expect(more.text.contains("future") && sample.isEqual(more.text))
    }
  }

  @Test("a missing member is named, unless it may be left out", arguments: MessageSample.all)
  func missingMembers(sample: MessageSample) throws {
    let tree = try #require(JSONTree(sample.text))
    for path in tree.memberPaths where !MessageSample.openObjects.contains(path.dropLast().last ?? "") {
      let name = path.joined(separator: ".")
      let less = tree.changed(at: path) { object, key in object[key] = nil }
      let error = sample.error(less.text)
      #expect(error == (sample.optionalMembers.contains(name) ? nil : .missing(member: name)), "\(less.text)")
    }
  }

  @Test("a member of another type is named, with the type it must have", arguments: MessageSample.all)
  func illTypedMembers(sample: MessageSample) throws {
    let tree = try #require(JSONTree(sample.text))
    for path in tree.memberPaths {
      let name = path.joined(separator: ".")
      for value in [true, 1.5, -1, 1e300, "1", [Any](), [String: Any](), NSNull()] as [Any] {
        let wrong = tree.changed(at: path) { object, key in object[key] = value }
        switch sample.error(wrong.text) {
        // The value fits (a text for a text, or null for what may be left out), or lacks members of its own.
        case nil: break
        case .missing(let member): #expect(member.hasPrefix(name + "."))
        case .wrongType(let member, let expected): #expect(member == name && !expected.isEmpty)
        case .unknownValue(let member): #expect(member == name && !(value is [Any]))
        case .unreadable: #expect(value is any Numeric, "\(wrong.text)")
        }
      }
    }
  }

  @Test(
    "what is wrong is told in words that help",
    arguments: [
      ("nonsense", "The message is not a JSON object, or a number in it is out of range or not whole."),
      ("", "The message is not a JSON object, or a number in it is out of range or not whole."),
      ("[1]", "The message is not a JSON object, or a number in it is out of range or not whole."),
      ("null", "The message is not a JSON object, or a number in it is out of range or not whole."),
      ("{}", "The message has no member 'type'; add it."),
      (#"{"type":"explode"}"#, "The message's member 'type' has a value that is not known."),
      (#"{"type":7}"#, "The message's member 'type' must be a text."),
      (#"{"type":"update","requestID":"1"}"#, "The message's member 'requestID' must be a whole number."),
      (
        #"{"type":"update","requestID":1,"role":3}"#,
        "The message's member 'role' has a value that is not known."
      ),
      (
        #"{"type":"update","requestID":1,"publish":{"audio":1,"video":true}}"#,
        "The message's member 'publish.audio' must be true or false."
      ), (#"{"type":"update","requestID":1,"publish":[]}"#, "The message's member 'publish' must be an object."),
    ])
  func words(text: String, expected: String) {
    #expect(throws: ControlMessageError.self) { try ControlMessageCoding.decode(ChannelRequest.self, from: text) }
    do throws(ControlMessageError) {
      _ = try ControlMessageCoding.decode(ChannelRequest.self, from: text)
    } catch { #expect(error.description == expected) }
  }

  @Test(
    "a number that cannot be a user's is refused by the name of its member, with the numbers that can",
    arguments: ["-1", "5.5", "1e40", #""7""#, "null", "99999999999999999999"])
  func users(number: String) {
    func refusal<Message: Decodable>(_ type: Message.Type, _ text: String) -> String? {
      do throws(ControlMessageError) {
        _ = try ControlMessageCoding.decode(type, from: text)
        return nil
      } catch { return error.description }
    }
    func words(_ member: String, from first: Int) -> String {
      "The message's member '\(member)' must be a whole number from \(first) to 4294967295."
    }
    let send = #"{"type":"send","requestID":1,"to":\#(number),"message":"x"}"#
    #expect(refusal(SignalRequest.self, send) == words("to", from: 1))
    let login = #"{"type":"login","version":1,"uid":\#(number),"token":""}"#
    #expect(refusal(SignalRequest.self, login) == words("uid", from: 1))
    #expect(refusal(ChannelRequest.self, #"{"type":"join","version":1,"uid":\#(number)}"#) == words("uid", from: 0))
    // A number that is missing is told as such.
    #expect(
      refusal(SignalRequest.self, #"{"type":"send","requestID":1,"message":"x"}"#)
        == "The message has no member 'to'; add it.")
  }

  @Test("another version is read, so that it can be refused with its reason")
  func versions() {
    let login = #"{"type":"login","version":2,"uid":1,"token":"","since":"version 2"}"#
    #expect(
      (try? ControlMessageCoding.decode(SignalRequest.self, from: login))
        == .login(LoginRequest(version: 2, uid: 1)))
  }

  @Test("the examples of docs/protocol.md are messages")
  func documentedExamples() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/protocol.md")
    // An example begins with the client's number and the direction; its further lines are indented.
    let lines = try String(contentsOf: page, encoding: .utf8).replacing("\n     ", with: " ").split(separator: "\n")
    var count = 0
    for line in lines {
      guard let example = line.wholeMatch(of: /\d ([<>]) (\{.*\})/), !line.contains(" … ") else { continue }
      count += 1
      let (text, isRequest) = (String(example.2), example.1 == ">")
      #expect(
        isRequest
          ? isMessage(text, ChannelRequest.self, SignalRequest.self)
          : isMessage(text, ChannelResponse.self, SignalResponse.self), "\(text)")
    }
    #expect(count >= 10)
  }

  private func isMessage(_ text: String, _ kinds: any Decodable.Type...) -> Bool {
    kinds.contains { kind in (try? ControlMessageCoding.decode(kind, from: text)) != nil }
  }
}

extension MessageSample {
  /// What is wrong with a text as a message of this kind.
  func error(_ text: String) -> ControlMessageError? {
    do throws(ControlMessageError) {
      _ = try recode(text)
      return nil
    } catch { return error }
  }
}
