import CallAPI
import TestSupport
import Testing

extension PageScriptTests {
  /// call.js in Chromium against `CallStateMachine`: the same steps lead to the same effects, in the same order, field for
  /// field.
  @Suite("call.js and CallStateMachine", .serialized, .timeLimit(.minutes(10)))
  struct CallTwinTests {
    private let server: TestServer
    private var address: String { server.address }

    init() throws { server = try TestServer() }

    @Test("both tell the same story")
    func stories() async throws {
      let page = try await LonePage("http://\(address)/")
      let stories = CallStories.all
      let scripted = try await CallTwins.script(stories.map(\.steps), page.page)
      for (index, story) in stories.enumerated() {
        let (lines, states) = CallTwins.swift(story.steps)
        #expect(states == story.states, "\(story.name)")
        #expect(lines == scripted[index], "\(story.name)")
      }
    }

    @Test("texts that are not messages, or not whole ones, are taken or dropped by both alike")
    func texts() async throws {
      let page = try await LonePage("http://\(address)/")
      // Each about a call of its own: a call that is over is not looked at again.
      let calls = HostileTexts.all.enumerated().flatMap { index, text in
        [
          CallStep.text(text.replacing(#""callId":"a""#, with: #""callId":"a\#(index)""#)), .deinitialize,
          .prepare("R5"),
        ]
      }
      let answers = HostileTexts.answers.enumerated().flatMap { index, text in
        [
          CallStep.call(3, id: "b\(index)"),
          .text(text.replacing(#""callId":"a""#, with: #""callId":"b\#(index)""#)), .deinitialize, .prepare("R5"),
        ]
      }
      let steps = [CallStep.prepare("R5")] + calls + answers
      let scripted = try await CallTwins.script([steps], page.page)
      let lines = CallTwins.swift(steps).lines
      for (index, pair) in zip(lines, scripted[0]).enumerated() where pair.0 != pair.1 {
        Issue.record("\(steps[index].script): \(pair)")
      }
      #expect(scripted[0].count == lines.count)
    }

    @Test("calls to channels that cannot be are dropped by both, those to others ring")
    func namesOfChannels() async throws {
      let page = try await LonePage("http://\(address)/")
      let long = String(repeating: "x", count: 63)
      let names = (0..<128 as Range<UInt8>).map { "R" + String(UnicodeScalar($0)) } + [long, long + "x", "é", "🎈", " "]
      let steps = names.enumerated().flatMap { index, name in
        [CallStep.prepare("R5"), .message(.videoCall, from: 3, id: "a\(index)", room: name), .deinitialize]
      }
      let scripted = try await CallTwins.script([steps], page.page)
      let (lines, states) = CallTwins.swift(steps)
      #expect(lines == scripted[0])
      // Letters, digits, 27 others, and in the end the longest name and the shortest.
      #expect(states.count { $0 == "calling.remoteVideoCall" } == 52 + 10 + 27 + 2)
    }

    @Test("both take hundreds of random walks alike, which reach every reason")
    func walks() async throws {
      var (walks, lines, states) = ([[CallStep]](), [[String]](), Set<String>())
      for seed in 1...200 as ClosedRange<UInt64> {
        var walk = CallWalk(seed: seed)
        walk.take(60)
        walks.append(walk.steps)
        lines.append(walk.lines)
        states.formUnion(walk.states)
      }
      let page = try await LonePage("http://\(address)/")
      let scripted = try await CallTwins.script(walks, page.page)
      for (index, pair) in zip(lines, scripted).enumerated() {
        guard let place = zip(pair.0, pair.1).enumerated().first(where: { $0.element.0 != $0.element.1 }) else {
          continue
        }
        Issue.record("walk \(index), step \(walks[index][place.offset].script): \(place.element)")
        return
      }
      #expect(lines == scripted)
      let reasons = Set(states.compactMap { $0.split(separator: ".").last.map(String.init) })
      #expect(
        reasons.isSuperset(of: [
          "none", "localRejected", "remoteRejected", "remoteAccepted", "localAccepted", "localHangup", "remoteHangup",
          "localCancelled", "remoteCancelled", "recvRemoteFirstFrame", "callingTimeout", "cancelByCallerRecall",
          "remoteCallBusy", "remoteCallingTimeout", "localVideoCall", "localAudioCall", "remoteVideoCall",
          "remoteAudioCall",
        ]), "\(reasons)")
    }
  }
}
