import ChannelCore
import ControlWire
import SDPWire
import Testing

@testable import WebRTCNegotiation

@Suite("Answers")
struct AnswerTests {
  @Test("to a player tell what it will receive with")
  func player() throws {
    let answer = try AnswerRules.answer(ClientOffer.chromiumPlay.parsed())
    let (audio, video) = (answer.media[0], answer.media[1])
    #expect(answer.origin.sessionID == AnswerRules.server.sessionID && answer.bundledIdentifications == ["0", "1"])
    #expect(audio.sources.map(\.ssrc) == [11] && video.sources.map(\.ssrc) == [12, 13])
    #expect(video.sources.allSatisfy { $0.cname == "server" } && video.sourceGroups("FID") == [[12, 13]])
    #expect(audio.attributes.value("msid") == "greenroom audio" && video.attributes.value("msid") == "greenroom video")
    #expect(
      audio.attributes.values("candidate")
        == ["1 1 udp 2130706431 192.0.2.1 7000 typ host", "2 1 udp 2130706175 2001:db8::1 7001 typ host"])
  }

  @Test("to a player without retransmissions have no SSRC for them, and none at all if there are none yet")
  func playerWithoutRetransmissions() throws {
    let offer = try ClientOffer.gstreamerPlay.parsed()
    #expect(try AnswerRules.answer(offer).media[1].sources.map(\.ssrc) == [12])
    var server = AnswerRules.server
    server.receiveSSRCs = nil
    #expect(offer.answer(server).media.allSatisfy { $0.sources.isEmpty && $0.attributes.has("msid") })
  }

  @Test("to a publisher have no sources, and of its codecs and feedback only what the server knows")
  func publisher() throws {
    let answer = try AnswerRules.answer(ClientOffer.chromiumPublish.parsed())
    #expect(answer.media.allSatisfy { $0.sources.isEmpty && !$0.attributes.has("msid") })
    #expect(answer.media.map(\.formats) == [["63", "111"], ["96", "97"]])
    #expect(answer.media[1].codecs.map(\.feedback) == [["goog-remb", "ccm fir", "nack", "nack pli"], []])
    #expect(answer.media[0].headerExtensions.map(\.id) == [1, 4])
    // By which it is found out how much the publisher may send, and what packets belong to.
    #expect(
      answer.media[1].headerExtensions.map(\.uri) == [HeaderExtensionURI.sendTime, HeaderExtensionURI.mediaID])
    // Redundancy first: whoever sends takes the first codec.
    #expect(answer.media[0].attributes.values("fmtp") == ["63 111/111", "111 minptime=10;useinbandfec=1"])
    #expect(answer.attributes.has("extmap-allow-mixed") && answer.media[0].attributes.has("rtcp-rsize"))
  }

  @Test("of Opus have what the offer has, as the server wants it")
  func opus() throws {
    func parameters(_ client: ClientOffer) throws -> String? {
      try AnswerRules.answer(client.parsed()).media[0].attributes.value("fmtp")
    }
    #expect(try parameters(.firefoxPublish) == "109 useinbandfec=1;stereo=1")
    #expect(try parameters(.obsPublish) == "111 minptime=10;useinbandfec=1;stereo=1")
    #expect(try parameters(.aiortcPublish) == nil)
  }

  @Test("agree to layers by name", arguments: [ClientOffer.chromiumSimulcast, .firefoxSimulcast])
  func layers(client: ClientOffer) throws {
    let video = try AnswerRules.answer(client.parsed()).media[1]
    #expect(video.port == 9 && video.codecs[0].isNamed("VP8"))
    #expect(video.attributes.values("rid") == ["q recv", "h recv", "f recv"])
    #expect(video.attributes.values("simulcast") == ["recv q;h;f"])
    let uris = video.headerExtensions.filter { $0.uri.contains(":sdes:") }.map {
      "\($0.id) \($0.uri.split(separator: ":").last ?? "")"
    }
    #expect(uris.count == 3 && uris.contains { $0.hasSuffix(" repaired-rtp-stream-id") })
    let join = try client.parsed().join(receiveSSRCs: nil, wantedUID: nil)
    #expect(join.sendLayers.count == 3 && !join.videoMediaID.isEmpty && join.audioMediaID != join.videoMediaID)
  }

  @Test("reject data channels, second media and what flows the wrong way")
  func rejections() throws {
    let offer = try WebRTCOffer(
      parsing: HandMadeOffer(sections: [
        .init(kind: "video", mid: "a", codec: "VP8/90000", type: 96, direction: "recvonly"),
        .init(kind: "application", mid: "b", codec: "", type: 5, direction: "sendrecv"),
        .init(kind: "audio", mid: "c", codec: "opus/48000/2", type: 111),
        .init(kind: "audio", mid: "d", codec: "opus/48000/2", type: 111),
        .init(kind: "video", mid: "e", codec: "VP8/90000", type: 96),
      ]).text, purpose: .publish)
    let answer = try AnswerRules.answer(offer)
    #expect(AnswerRules.broken(by: answer, to: offer.description) == [])
    #expect(answer.media.map(\.port) == [0, 0, 9, 0, 9] && answer.bundledIdentifications == ["c", "e"])
    #expect(answer.media[2].attributes.has("candidate"))
    #expect(offer.rejections == ["The offer's audio with mid d is one too many; offer one audio and one video."])
  }

  @Test("turn directions of header extensions round, and leave out those that go the wrong way")
  func extensionDirections() throws {
    func answered(_ direction: String) throws -> [String] {
      var audio = HandMadeOffer.Section(kind: "audio", mid: "0", codec: "opus/48000/2", type: 111)
      audio.lines = ["a=extmap:1\(direction) \(HeaderExtensionURI.audioLevel)"]
      let text = HandMadeOffer(sections: [audio]).text
      return try AnswerRules.answer(WebRTCOffer(parsing: text, purpose: .publish)).media[0].attributes.values("extmap")
    }
    #expect(try answered("") == ["1 \(HeaderExtensionURI.audioLevel)"])
    #expect(try answered("/sendonly") == ["1/recvonly \(HeaderExtensionURI.audioLevel)"])
    #expect(try answered("/recvonly") == [] && answered("/inactive") == [])
  }
}
