import ForwardingCore
import ControlWire
import SDPWire
import Testing

@testable import WebRTCNegotiation

@Suite("Rules for offers")
struct OfferRuleTests {
  private func parse(
    _ change: (inout HandMadeOffer) -> Void, purpose: WebRTCOffer.Purpose = .publish, support: WebRTCOffer.Support = []
  ) throws(WebRTCOfferError) -> WebRTCOffer {
    var offer = HandMadeOffer.both
    change(&offer)
    return try WebRTCOffer(parsing: offer.text, purpose: purpose, support: support)
  }

  @Test("what cannot be answered is told with what to do")
  func errors() {
    func expect(
      _ error: WebRTCOfferError, purpose: WebRTCOffer.Purpose = .publish, _ change: (inout HandMadeOffer) -> Void,
      _ location: SourceLocation = #_sourceLocation
    ) {
      #expect(throws: error, sourceLocation: location) { try parse(change, purpose: purpose) }
      #expect(error.description.hasSuffix("."), sourceLocation: location)
    }
    expect(.noMedia(.publish)) { $0.sections = [] }
    expect(.noMedia(.play), purpose: .play) { _ in }
    expect(.noMedia(.publish)) { offer in for index in 0...1 { offer.sections[index].direction = "inactive" } }
    expect(.unsupportedTransport("DTLS/SCTP")) { offer in
      for index in 0...1 { offer.sections[index].transport = "DTLS/SCTP" }
    }
    expect(.noKnownCodec) { offer in for index in 0...1 { offer.sections[index].codec = "H264/90000" } }
    expect(.noKnownCodec) { offer in for index in 0...1 { offer.sections[index].type = 72 } }
    expect(.noKnownCodec) {
      $0.sections[0].codec = "opus/48000/1"; $0.sections[1].codec = "VP8/48000"
    }
    expect(.noRTCPMultiplexing) { $0.multiplexing = [] }
    expect(.noICECredentials) { $0.ice = ["a=ice-ufrag:abcd"] }
    expect(.noICECredentials) { $0.ice = [] }
    expect(.invalidICECredentials) { $0.ice = ["a=ice-ufrag:abc", "a=ice-pwd:0123456789abcdefghijkl"] }
    expect(.invalidICECredentials) { $0.ice = ["a=ice-ufrag:abcd", "a=ice-pwd:0123456789 bcdefghijkl"] }
    expect(.noFingerprint) { $0.fingerprint = [] }
    expect(.noFingerprint) { $0.fingerprint = ["a=fingerprint:sha-256 00:01", "a=fingerprint:sha-1 00"] }
    expect(.unsupportedSetupRole("passive")) { $0.setup = ["a=setup:passive"] }
    expect(.unsupportedSetupRole("holdconn")) { $0.setup = ["a=setup:holdconn"] }
    #expect(throws: WebRTCOfferError.malformed(.unknownVersion)) { try WebRTCOffer(parsing: "", purpose: .play) }
    #expect(WebRTCOfferError.malformed(.unknownVersion).isMalformed && !WebRTCOfferError.noKnownCodec.isMalformed)
  }

  @Test("who opens DTLS may be left open, be the client, or not be said")
  func setup() throws {
    for lines in [["a=setup:actpass"], ["a=setup:active"], []] {
      let answer = try AnswerRules.answer(parse { $0.setup = lines })
      #expect(answer.media.allSatisfy { $0.attributes.value("setup") == "passive" })
    }
  }

  @Test("media outside the group, or all but the first without a group, are rejected")
  func bundle() throws {
    let without = try parse { $0.bundle = "" }
    #expect(without.publishes == TrackFlags(audio: true, video: false))
    let answer = try AnswerRules.answer(without)
    #expect(answer.bundledIdentifications.isEmpty && answer.media.map(\.port) == [9, 0])
    let second = try parse { $0.bundle = "a=group:BUNDLE 1" }
    #expect(second.publishes == TrackFlags(audio: false, video: true) && second.rejections.count == 1)
    #expect(try AnswerRules.answer(second).bundledIdentifications == ["1"])
    let strangers = try parse { $0.bundle = "a=group:BUNDLE 7 8" }
    #expect(try AnswerRules.answer(strangers).bundledIdentifications.isEmpty)
    let turned = try parse { $0.bundle = "a=group:LS 0 1\r\na=group:BUNDLE 1 0 1" }
    #expect(try AnswerRules.answer(turned).bundledIdentifications == ["1", "0"])
    #expect(try AnswerRules.answer(turned).media.map { $0.attributes.has("candidate") } == [false, true])
  }

  @Test("the transport is that of the first accepted section of the group")
  func transport() throws {
    let offer = try parse {
      $0.ice = []
      $0.sections[0].lines = ["a=ice-ufrag:first", "a=ice-pwd:0123456789abcdefghijkl"]
      $0.sections[1].lines = ["a=ice-ufrag:second", "a=ice-pwd:0123456789abcdefghijkl"]
      $0.sections[0].codec = "PCMU/8000"
    }
    #expect(offer.ice.usernameFragment == "second")
  }

  @Test("one number means one thing")
  func conflicts() throws {
    let types = try parse { $0.sections[1].type = 111 }
    #expect(types.publishes == TrackFlags(audio: true, video: false) && types.rejections.count == 1)
    let retransmission = try parse {
      $0.sections[1].moreTypes = [111]
      $0.sections[1].lines = ["a=rtpmap:111 rtx/90000", "a=fmtp:111 apt=96", "a=ssrc-group:FID 5 6"]
    }
    #expect(retransmission.format.rtxPayloadType == nil && retransmission.sendSSRCs.videoRTX == 0)
    let ssrcs = try parse {
      $0.sections[0].lines = ["a=ssrc:5"]; $0.sections[1].lines = ["a=ssrc:5"]
    }
    #expect(ssrcs.sendSSRCs == TrackSSRCs(audio: 5, video: 0, videoRTX: 0))
    for ids in [(3, 4), (1, 1), (4, 1)] {
      let extensions = try parse(
        {
          $0.sections[0].lines = [
            "a=extmap:1 \(HeaderExtensionURI.audioLevel)", "a=extmap:\(ids.0) \(HeaderExtensionURI.transportSequence)",
          ]
          $0.sections[1].lines = ["a=extmap:\(ids.1) \(HeaderExtensionURI.transportSequence)"]
        }, support: .transportCC)
      #expect(extensions.format.transportSequenceExtensionID == 0)
      #expect(!extensions.answer(AnswerRules.server).text.contains(HeaderExtensionURI.transportSequence))
    }
  }

  @Test("redundant audio is agreed to if it is around the Opus that is agreed to, and its number is free")
  func redundancy() throws {
    func type(_ lines: [String], videoType: Int = 96) throws -> UInt8? {
      try parse {
        $0.sections[0].moreTypes = [63]
        $0.sections[0].lines = lines
        $0.sections[1].type = videoType
      }.format.redPayloadType
    }
    #expect(try type(["a=rtpmap:63 red/48000/2", "a=fmtp:63 111/111"]) == 63)
    #expect(try type(["a=rtpmap:63 RED/48000/2", "a=fmtp:63 111/111/111/111"]) == 63)
    #expect(try type(["a=rtpmap:63 red/48000/2", "a=fmtp:63 111/111"], videoType: 63) == nil)
    let refused = [
      ["a=rtpmap:63 red/48000/2"], ["a=rtpmap:63 red/48000/2", "a=fmtp:63 111"],
      ["a=rtpmap:63 red/48000/2", "a=fmtp:63 111/13"], ["a=rtpmap:63 red/48000/2", "a=fmtp:63 /"],
      ["a=rtpmap:63 red/8000", "a=fmtp:63 111/111"], ["a=rtpmap:63 red/90000", "a=fmtp:63 111/111"],
    ]
    for lines in refused { #expect(try type(lines) == nil) }
  }

  @Test("header extensions that do not fit the one-byte form are not agreed to")
  func extensionIDs() throws {
    let offer = try parse { $0.sections[0].lines = ["a=extmap:15 \(HeaderExtensionURI.audioLevel)"] }
    #expect(offer.format.audioLevelExtensionID == 0 && offer.answer(AnswerRules.server).media[0].headerExtensions == [])
  }

  @Test("where both forms may be mixed, numbers above 14 are agreed to and written in the two-byte form")
  func longExtensionIDs() throws {
    for isMixed in [true, false] {
      let offer = try parse {
        $0.sections[0].lines = ["a=extmap:15 \(HeaderExtensionURI.audioLevel)"]
        $0.sections[1].lines = ["a=extmap:200 \(HeaderExtensionURI.captureTime)"]
        if isMixed { for place in 0..<2 { $0.sections[place].lines.append("a=extmap-allow-mixed") } }
      }
      #expect(offer.format.audioLevelExtensionID == (isMixed ? 15 : 0))
      #expect(offer.format.extensions.captureTimeID == (isMixed ? 200 : 0))
      #expect(offer.format.extensions.usesTwoByteForm == isMixed)
      #expect(offer.answer(AnswerRules.server).media[1].headerExtensions.map(\.id) == (isMixed ? [200] : []))
    }
  }

  @Test("a player is told times, the section and to show pictures at once; a publisher what it may tell")
  func extensions() throws {
    let uris = [
      HeaderExtensionURI.sendTime, HeaderExtensionURI.playoutDelay, HeaderExtensionURI.captureTime,
      HeaderExtensionURI.orientation, HeaderExtensionURI.mediaID,
    ]
    func extensions(
      _ purpose: WebRTCOffer.Purpose, _ support: WebRTCOffer.Support = [], mid: String = "v"
    ) throws -> (ForwardedExtensions, [[UInt8]]) {
      let offer = try parse(
        {
          for place in 0..<2 {
            if purpose == .play { $0.sections[place].direction = "recvonly" }
            $0.sections[place].lines = uris.enumerated().map { "a=extmap:\($0 + 1) \($1)" }
          }
          $0.sections[1].mid = mid
        }, purpose: purpose, support: support)
      return (offer.format.extensions, offer.answer(AnswerRules.server).media.map { $0.headerExtensions.map(\.id) })
    }
    var expected = ForwardedExtensions()
    expected.captureTimeID = 3
    #expect(try extensions(.publish) == (expected, [[3, 5], [3, 5]]))
    expected.orientationID = 4
    #expect(try extensions(.publish, .orientation) == (expected, [[3, 5], [3, 4, 5]]))
    (expected.sendTimeID, expected.playoutDelayID, expected.receivedMediaIDID) = (1, 2, 5)
    expected.audioMediaID = try #require(MediaIDText("0"))
    expected.videoMediaID = try #require(MediaIDText("v"))
    #expect(try extensions(.play) == (expected, [[1, 3, 5], [1, 2, 3, 4, 5]]))
    // A name that is too long to be in packets is not agreed to.
    let (long, answered) = try extensions(.play, mid: "too-long-for-this")
    #expect(long.receivedMediaIDID == 5 && long.videoMediaID == MediaIDText() && !answered[1].contains(5))
  }

  @Test("a direction of the session counts where a section has none")
  func sessionDirection() throws {
    let text = HandMadeOffer.both.text.replacing("a=sendonly\r\n", with: "").replacing("s=-", with: "s=-\r\na=recvonly")
    #expect(try WebRTCOffer(parsing: text, purpose: .play).receives == TrackFlags(audio: true, video: true))
    #expect(throws: WebRTCOfferError.noMedia(.publish)) { try WebRTCOffer(parsing: text, purpose: .publish) }
  }
}
