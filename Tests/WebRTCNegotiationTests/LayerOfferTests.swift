import ForwardingCore
import SDPWire
import Testing

@testable import WebRTCNegotiation

@Suite("Offers of several encodings")
struct LayerOfferTests {
  private func offer(_ lines: [String], moreTypes: [Int] = []) throws -> WebRTCOffer {
    var offer = HandMadeOffer.both
    offer.sections[1].moreTypes = moreTypes
    offer.sections[1].lines = lines
    return try WebRTCOffer(parsing: offer.text, purpose: .publish)
  }

  private let extensions = [
    "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid", "a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id",
    "a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id",
  ]

  private func names(_ simulcast: String, _ rids: [String], extensions: [String]? = nil) throws -> [String] {
    let offer = try offer((extensions ?? self.extensions) + rids.map { "a=rid:" + $0 } + ["a=simulcast:" + simulcast])
    #expect(AnswerRules.broken(by: try AnswerRules.answer(offer), to: offer.description) == [])
    return offer.sendLayers.map { String(decoding: $0.restrictionID, as: UTF8.self) }
  }

  @Test("well-known names go by size, others by their places")
  func order() throws {
    #expect(try names("send f;h;q", ["f send", "h send", "q send"]) == ["q", "h", "f"])
    #expect(try names("send h;m;l", ["h send", "m send", "l send"]) == ["l", "m", "h"])
    #expect(try names("send high;low", ["high send", "low send"]) == ["low", "high"])
    #expect(try names("send 2;1;0", ["2 send", "1 send", "0 send"]) == ["0", "1", "2"])
    #expect(try names("send b;a;c", ["b send", "a send", "c send"]) == ["b", "a", "c"])
  }

  @Test("of alternatives the first counts, of those that are paused at first all, of more than three the first three")
  func forms() throws {
    #expect(try names("send q,x;~h;f recv r", ["q send", "h send", "f send", "x send", "r recv"]) == ["q", "h", "f"])
    #expect(try names("recv r send q;h", ["r recv", "q send", "h send"]) == ["q", "h"])
    #expect(try names("send a;b;c;d", ["a send", "b send", "c send", "d send"]) == ["a", "b", "c"])
  }

  @Test(
    "names that are not described, used twice or for other codecs do not count, and one encoding is none of several")
  func refused() throws {
    #expect(try names("send q;h;f", ["q send", "f send"]) == ["q", "f"])
    #expect(try names("send q;q", ["q send"]) == [])
    #expect(try names("send q", ["q send"]) == [])
    #expect(try names("send q;h;f", ["q recv", "h recv", "f recv"]) == [])
    #expect(try names("send q;h;f", ["q send pt=97", "h send pt=97,96", "f send max-width=1280;pt=96"]) == ["h", "f"])
    #expect(try names("send q;h", ["q send", "h send"], extensions: Array(extensions.prefix(1))) == [])
    #expect(try names("send ;;", ["", " send", "q"]) == [])
  }

  @Test("restrictions are repeated, payload types as far as they are agreed to")
  func restrictions() throws {
    let rids = ["a=rid:a send max-width=320;pt=97,96", "a=rid:b send", "a=simulcast:send a;b"]
    let answer = try AnswerRules.answer(offer(extensions + rids))
    #expect(answer.media[1].attributes.values("rid") == ["a recv max-width=320;pt=96", "b recv"])
  }

  @Test("a group of SSRCs, as older clients write it, counts in its order, each with its retransmissions")
  func groups() throws {
    let lines = [
      "a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=96", "a=ssrc-group:SIM 10 20 30", "a=ssrc-group:FID 20 21",
      "a=ssrc-group:FID 10 11", "a=ssrc-group:FID 30 31", "a=ssrc:10 cname:x", "a=ssrc:20 cname:x", "a=ssrc:30 cname:x",
    ]
    let offer = try offer(lines, moreTypes: [97])
    #expect(
      offer.sendLayers == [
        ForwardedLayer(ssrc: 10, rtxSSRC: 11), ForwardedLayer(ssrc: 20, rtxSSRC: 21),
        ForwardedLayer(ssrc: 30, rtxSSRC: 31),
      ])
    #expect(AnswerRules.broken(by: try AnswerRules.answer(offer), to: offer.description) == [])
    #expect(try self.offer(["a=ssrc-group:SIM 10 10"]).sendLayers == [])
    #expect(try self.offer(["a=ssrc-group:SIM 10 0"]).sendLayers == [])
    #expect(try self.offer(["a=ssrc-group:SIM 10"]).sendLayers == [])
  }
}
