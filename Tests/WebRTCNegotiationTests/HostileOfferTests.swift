import ControlWire
import ForwardingCore
import MediaBase
import SDPWire
import Testing

@testable import WebRTCNegotiation

@Suite("Hostile offers")
struct HostileOfferTests {
  /// Whatever is understood must have an answer by the rules.
  private func check(_ text: String, purpose: WebRTCOffer.Purpose, _ what: String = "") {
    do throws(WebRTCOfferError) {
      let offer = try WebRTCOffer(parsing: text, purpose: purpose, support: .transportCC)
      let answer = try? AnswerRules.answer(offer)
      let broken = answer.map { AnswerRules.broken(by: $0, to: offer.description) }
      #expect(broken == [], "\(what)")
      #expect(offer.publishes != .none || offer.receives != .none)
    } catch { #expect(error.description.utf8.count < 400) }
  }

  @Test("changed bytes and lines never trap", arguments: ClientOffer.all, 0..<3 as Range<UInt64>)
  func mutations(client: ClientOffer, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for round in 0..<25 { check(Mutation.of(client.text, &random), purpose: client.purpose, "round \(round)") }
  }

  @Test("each line may be missing, or be there twice", arguments: [ClientOffer.firefoxPublish, .gstreamerPlay])
  func lines(client: ClientOffer) {
    let lines = client.text.split(separator: "\r\n").map(String.init)
    for index in lines.indices {
      var fewer = lines
      fewer.remove(at: index)
      check(fewer.joined(separator: "\r\n"), purpose: client.purpose, "without \(lines[index])")
      var more = lines
      more.insert(lines[index], at: index)
      check(more.joined(separator: "\r\n"), purpose: client.purpose, "twice \(lines[index])")
    }
  }

  @Test("a thousand payload types, and the same one ten thousand times")
  func payloadTypes() throws {
    var offer = HandMadeOffer.both
    for type in 0..<1_000 { offer.sections[1].lines += ["a=rtpmap:\(type) VP8/90000"] }
    let formats = (0..<1_000).map(String.init).joined(separator: " ")
    let many = offer.text.replacing("SAVPF 96", with: "SAVPF \(formats)")
    #expect(try WebRTCOffer(parsing: many, purpose: .publish).format.vp8PayloadType == 0)
    let same = String(repeating: "96 ", count: 10_000)
    offer.sections[1].lines = Array(repeating: "a=rtcp-fb:* x", count: 1_500)
    check(offer.text.replacing("SAVPF 96", with: "SAVPF \(same)"), purpose: .publish)
  }

  @Test(
    "absurd mids",
    arguments: [
      "", " ", "0", "0 1", String(repeating: "m", count: 10_000), "\u{0}", "\u{1F600}e\u{301}", "a=mid:0", "BUNDLE",
      ":",
    ])
  func mids(mid: String) {
    var offer = HandMadeOffer.both
    offer.sections[1].mid = mid
    for group in [nil, "", "a=group:BUNDLE 0 \(mid)", "a=group:BUNDLE \(mid) \(mid) 0 0", "a=group:BUNDLE"] {
      offer.bundle = group
      check(offer.text, purpose: .publish, "group \(group ?? "all")")
    }
    offer.sections[0].mid = mid
    check(offer.text, purpose: .publish)
  }

  @Test("numbers at the edges")
  func numbers() {
    for lines in [
      ["a=ssrc:0", "a=ssrc:4294967296", "a=ssrc:-1", "a=ssrc", "a=ssrc:", "a=ssrc-group:FID", "a=ssrc-group:FID 0 0"],
      ["a=ssrc-group:FID 1 1", "a=ssrc-group:SIM", "a=ssrc-group:FID 1 2 3"],
      ["a=extmap:0 x", "a=extmap:256 x", "a=extmap:/ x", "a=extmap: ", "a=extmap:1/ x", "a=extmap:14/x x"],
      ["a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=97", "a=fmtp:97 apt=999", "a=fmtp:97", "a=fmtp:97 ;;=;=="],
      ["a=rtpmap:96 VP8/99999999999", "a=rtpmap:96 /", "a=rtpmap:96", "a=rtcp-fb:96", "a=rtcp-fb: "],
      ["a=simulcast:", "a=simulcast:send", "a=rid", "a=setup", "a=fingerprint:", "a=ice-options", "a=mid"],
    ] {
      var offer = HandMadeOffer.both
      offer.sections[1].lines = lines
      check(offer.text, purpose: .publish, "\(lines)")
      check(offer.text.replacing("sendonly", with: "sendrecv"), purpose: .play, "\(lines)")
    }
  }
}
