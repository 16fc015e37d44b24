import ControlWire
import ForwardingCore
import SDPWire
import Testing

@testable import WebRTCNegotiation

@Suite("Offers of clients")
struct ClientOfferTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var offer: ClientOffer
    var ufrag: String
    var fingerprintEnd: UInt8
    /// Opus, VP8 and its retransmissions; 0 for none.
    var types: (UInt8, UInt8, UInt8)
    /// Audio level, and transport-wide numbers if the server supports them.
    var extensions: (UInt8, UInt8)
    /// Audio, video and its retransmissions.
    var ssrcs: (UInt32, UInt32, UInt32) = (0, 0, 0)
    var isTrickling = true
    /// Redundant audio.
    var redundancy: UInt8?
    /// Of players: when packets were sent, playout delay, orientation and section; sections are named 0 and 1.
    var playing: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
    /// Of publishers: section; in several encodings, also name, and name of what is repaired.
    var naming: (UInt8, UInt8, UInt8) = (0, 0, 0)

    var testDescription: String { offer.name }
  }

  static let expected = [
    Expected(
      offer: .chromiumPublish, ufrag: "XsG8", fingerprintEnd: 0x3A, types: (111, 96, 97), extensions: (1, 3),
      ssrcs: (3_694_589_020, 1_361_304_433, 1_069_682_689), redundancy: 63, naming: (4, 0, 0)),
    Expected(
      offer: .chromiumSimulcast, ufrag: "FMEr", fingerprintEnd: 0xEE, types: (111, 96, 97), extensions: (1, 3),
      ssrcs: (4_041_869_219, 0, 0), redundancy: 63, naming: (4, 10, 11)),
    Expected(
      offer: .chromiumPlay, ufrag: "TbR/", fingerprintEnd: 0x51, types: (111, 96, 97), extensions: (1, 3),
      redundancy: 63, playing: (2, 5, 13, 4)),
    Expected(
      offer: .firefoxPublish, ufrag: "716b32bf", fingerprintEnd: 0x2F, types: (109, 120, 124), extensions: (1, 7),
      ssrcs: (2_098_764_964, 1_229_316_864, 3_412_377_804), naming: (3, 0, 0)),
    Expected(
      offer: .firefoxSimulcast, ufrag: "ac2a79d7", fingerprintEnd: 0xEE, types: (109, 120, 124), extensions: (1, 7),
      ssrcs: (3_792_580_611, 3_557_778_879, 735_518_243), naming: (3, 9, 10)),
    Expected(
      offer: .firefoxPlay, ufrag: "6ba1a87c", fingerprintEnd: 0x6B, types: (109, 120, 124), extensions: (1, 7),
      playing: (4, 6, 0, 3)),
    Expected(
      offer: .aiortcPublish, ufrag: "laaw", fingerprintEnd: 0x62, types: (96, 97, 98), extensions: (2, 0),
      ssrcs: (1_236_589_967, 3_838_756_960, 1_414_737_914), isTrickling: false, playing: (3, 0, 0, 0), naming: (1, 0, 0)
    ),
    Expected(
      offer: .aiortcPlay, ufrag: "Xsae", fingerprintEnd: 0x4F, types: (96, 97, 98), extensions: (2, 0),
      isTrickling: false, playing: (3, 0, 0, 1)),
    Expected(
      offer: .gstreamerPublish, ufrag: "E5ta0oKEBPGu6XLAvXQDuzeM/5IH87PD", fingerprintEnd: 0x57, types: (97, 96, 0),
      extensions: (0, 0), ssrcs: (1_788_184_683, 3_496_735_694, 0)),
    Expected(
      offer: .gstreamerUnbundled, ufrag: "E/1UbSephF7Gp1M05v7bP7IREQnq8OS7", fingerprintEnd: 0x57, types: (0, 96, 0),
      extensions: (0, 0), ssrcs: (0, 3_777_493_205, 0)),
    Expected(
      offer: .gstreamerPlay, ufrag: "YlUiw8dQBFVMgKH2wGtFGtTkMLf9lq3y", fingerprintEnd: 0x57, types: (97, 96, 0),
      extensions: (0, 0)),
    Expected(
      offer: .safariPublish, ufrag: "5wyY", fingerprintEnd: 0xF5, types: (111, 100, 101), extensions: (1, 3),
      ssrcs: (1_557_912_193, 4_146_720_541, 1_212_451_170), redundancy: 63, naming: (4, 0, 0)),
    Expected(
      offer: .obsPublish, ufrag: "6NbS", fingerprintEnd: 0x0C, types: (111, 0, 0), extensions: (0, 0),
      ssrcs: (2_906_113_250, 0, 0)),
    Expected(
      offer: .ffmpegPublish, ufrag: "18ac5a4d", fingerprintEnd: 0x8D, types: (111, 0, 0), extensions: (0, 0),
      ssrcs: (1_409_163_853, 0, 0), isTrickling: false),
  ]

  @Test("give what the directory needs", arguments: expected)
  func values(expected: Expected) throws {
    let offer = try expected.offer.parsed(support: .transportCC)
    let (opus, vp8, rtx) = expected.types
    #expect(offer.ice.usernameFragment == expected.ufrag && offer.ice.password.utf8.count >= 22)
    #expect(offer.fingerprint.count == 32 && offer.fingerprint.last == expected.fingerprintEnd)
    var format = ForwardedFormat(
      opusPayloadType: opus, vp8PayloadType: vp8, rtxPayloadType: rtx == 0 ? nil : rtx,
      audioLevelExtensionID: expected.extensions.0, transportSequenceExtensionID: expected.extensions.1)
    format.redPayloadType = expected.redundancy
    (format.extensions.sendTimeID, format.extensions.playoutDelayID) = (expected.playing.0, expected.playing.1)
    (format.extensions.orientationID, format.extensions.receivedMediaIDID) = (expected.playing.2, expected.playing.3)
    if expected.playing.3 != 0 {
      format.extensions.audioMediaID = try #require(MediaIDText("0"))
      format.extensions.videoMediaID = try #require(MediaIDText("1"))
    }
    format.mediaIDExtensionID = expected.naming.0
    (format.restrictionIDExtensionID, format.repairedRestrictionIDExtensionID) = (expected.naming.1, expected.naming.2)
    #expect(offer.format == format)
    let names = expected.naming.1 == 0 ? [] : ["q", "h", "f"]
    #expect(offer.sendLayers.map(\.restrictionID) == names.map { Array($0.utf8) })
    #expect(offer.sendLayers.allSatisfy { $0.ssrc == 0 && $0.rtxSSRC == 0 })
    #expect(try expected.offer.parsed().format.transportSequenceExtensionID == 0)
    let (audio, video, videoRTX) = expected.ssrcs
    #expect(offer.sendSSRCs == TrackSSRCs(audio: audio, video: video, videoRTX: videoRTX))
    let tracks = TrackFlags(audio: opus != 0, video: vp8 != 0)
    #expect(offer.publishes == (expected.offer.purpose == .publish ? tracks : .none))
    #expect(offer.receives == (expected.offer.purpose == .play ? tracks : .none))
    #expect(offer.isTrickling == expected.isTrickling)
  }

  @Test(
    "are answered by the rules", arguments: ClientOffer.all,
    [[], [.transportCC, .orientation]] as [WebRTCOffer.Support])
  func answers(client: ClientOffer, support: WebRTCOffer.Support) throws {
    let offer = try client.parsed(support: support)
    let answer = try AnswerRules.answer(offer)
    #expect(AnswerRules.broken(by: answer, to: offer.description) == [])
    let hasTransportCC = answer.media.contains { medium in
      medium.headerExtensions.contains { $0.uri == HeaderExtensionURI.transportSequence }
        || medium.codecs.contains { $0.feedback.contains("transport-cc") }
    }
    #expect(hasTransportCC == (offer.format.transportSequenceExtensionID != 0))
    let accepted = answer.media.filter { $0.port != 0 }.map(\.direction)
    #expect(accepted.allSatisfy { $0 == (client.purpose == .publish ? .recvonly : .sendonly) })
  }

  @Test("that have media which is not accepted say why, and what to do")
  func rejections() throws {
    #expect(try ClientOffer.chromiumPublish.parsed().rejections == [])
    #expect(
      try ClientOffer.obsPublish.parsed().rejections
        == ["The offer's video with mid 1 has no VP8 (VP8/90000); enable VP8 in the client."])
    #expect(
      try ClientOffer.gstreamerUnbundled.parsed().rejections
        == ["The offer's audio with mid audio1 has a transport of its own; put all media into one BUNDLE group."])
  }
}
