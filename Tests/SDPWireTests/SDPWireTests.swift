import MediaBase
import SDPWire
import Testing

@Suite("Session descriptions")
struct SDPWireTests {
  /// The shape of an offer of Chromium that publishes one video with three layers and one audio.
  static let offer = """
    v=0\r
    o=- 4611731400430051336 2 IN IP4 127.0.0.1\r
    s=-\r
    t=0 0\r
    a=group:BUNDLE 0 1 2\r
    a=extmap-allow-mixed\r
    a=msid-semantic: WMS stream\r
    m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126\r
    c=IN IP4 0.0.0.0\r
    a=rtcp:9 IN IP4 0.0.0.0\r
    a=ice-ufrag:Ab+/\r
    a=ice-pwd:0123456789abcdefghijklmn\r
    a=ice-options:trickle\r
    a=fingerprint:sha-256 00:01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:FF\r
    a=setup:actpass\r
    a=mid:0\r
    a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r
    a=extmap:3/recvonly http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01\r
    a=sendonly\r
    a=msid:stream audio\r
    a=rtcp-mux\r
    a=rtpmap:111 opus/48000/2\r
    a=rtcp-fb:111 transport-cc\r
    a=fmtp:111 minptime=10;useinbandfec=1\r
    a=rtpmap:63 red/48000/2\r
    a=fmtp:63 111/111\r
    a=rtpmap:0 PCMU/8000\r
    a=ssrc:3570614608 cname:4TOk42mSjXCkVIa6\r
    a=ssrc:3570614608 msid:stream audio\r
    m=video 9 UDP/TLS/RTP/SAVPF 96 97\r
    a=mid:1\r
    a=sendonly\r
    a=rtpmap:96 VP8/90000\r
    a=rtcp-fb:96 goog-remb\r
    a=rtcp-fb:96 nack\r
    a=rtcp-fb:* nack pli\r
    a=rtpmap:97 rtx/90000\r
    a=fmtp:97 apt=96\r
    a=ssrc-group:FID 11 12\r
    a=ssrc:11 cname:x\r
    a=ssrc:12 cname:x\r
    a=rid:q send\r
    a=rid:h send\r
    a=simulcast:send q;~h,f;f recv a\r
    m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r
    a=mid:2\r
    a=sctp-port:5000\r

    """

  @Test("an offer of a browser is read with all that RTP, ICE and DTLS need")
  func browserOffer() throws {
    let description = try SessionDescription(parsing: Self.offer)
    #expect(description.origin.sessionID == 4_611_731_400_430_051_336)
    #expect(description.bundledIdentifications == ["0", "1", "2"] && !description.isICELite)
    #expect(description.media.map(\.kind) == ["audio", "video", "application"])
    let (audio, video) = (description.media[0], description.media[1])
    #expect(description.iceCredentials(of: audio)?.password == "0123456789abcdefghijklmn")
    #expect(description.iceCredentials(of: video) == nil)
    #expect(description.fingerprints(of: audio).first?.bytes.count == 32)
    #expect(description.fingerprints(of: audio).first?.bytes.last == 0xFF)
    #expect(description.setupRole(of: audio) == .actpass)
    #expect(audio.direction == .sendonly && audio.identification == "0" && !audio.isRejected)
    #expect(audio.codecs.map(\.payloadType) == [111, 63, 0])
    let opus = audio.codecs[0]
    #expect(opus.isNamed("OPUS") && opus.clockRate == 48_000 && opus.channelCount == 2)
    #expect(opus.parameter("useinbandfec") == "1" && opus.feedback == ["transport-cc"])
    #expect(audio.codecs[1].parameters == [SDPCodec.Parameter("111/111", "")])
    #expect(audio.headerExtensions.map(\.id) == [1, 3])
    #expect(audio.sources.map(\.ssrc) == [3_570_614_608] && audio.sources[0].cname == "4TOk42mSjXCkVIa6")
    #expect(video.codecs[0].feedback == ["goog-remb", "nack", "nack pli"])
    #expect(video.codecs[1].associatedPayloadType == 96)
    #expect(video.sourceGroups("FID") == [[11, 12]] && video.sourceGroups("SIM") == [])
    #expect(video.simulcastSendLayers == ["q", "h", "f"])
  }

  @Test("what is written is read as the same")
  func roundTrip() throws {
    let description = try SessionDescription(parsing: Self.offer)
    let again = try SessionDescription(parsing: description.text)
    #expect(again == description)
    #expect(description.text.split(separator: "\r\n").first == "v=0" && description.text.hasSuffix("\r\n"))
    let codec = description.media[0].codecs[0]
    #expect(
      codec.attributes.map(\.value) == ["111 opus/48000/2", "111 transport-cc", "111 minptime=10;useinbandfec=1"])
  }

  @Test("bare line feeds, a missing last line end and unknown lines are fine")
  func tolerance() throws {
    let text = "v=0\no=- 18446744073709551616 1 IN IP6 ::1\ns= \nb=AS:5\nz=1\na=weird\nm=video 0 RTP/AVP 34\na=zzz:1:2"
    let description = try SessionDescription(parsing: text)
    #expect(description.origin.sessionID == 0 && description.origin.address == "::1")
    #expect(description.media[0].isRejected && description.media[0].attributes.value("zzz") == "1:2")
    #expect(description.media[0].direction == .sendrecv)
  }

  @Test(
    "what is no session description is told with the line",
    arguments: [
      ("", .unknownVersion), ("v=1\r\n", .unknownVersion), ("v=0\r\ns=-\r\n", .malformedOrigin),
      ("v=0\r\no=- x 1 IN IP4 1.1.1.1\r\n", .malformedOrigin),
      ("v=0\r\nhello\r\n", .malformedLine(2)), ("v=0\r\no=- 1 1 IN IP4 a\r\nm=audio\r\n", .malformedMedia(line: 3)),
      ("v=0\r\nm=audio 70000 RTP/AVP 0\r\n", .malformedMedia(line: 2)),
    ] as [(String, SDPParseError)])
  func errors(text: String, expected: SDPParseError) {
    #expect(throws: expected) { try SessionDescription(parsing: text) }
    #expect(expected.description.hasSuffix("."))
  }

  @Test("descriptions beyond the limits are refused")
  func limits() {
    let head = "v=0\r\no=- 1 1 IN IP4 a\r\n"
    for text in [
      head + String(repeating: "a", count: SessionDescription.maximumByteCount),
      head + String(repeating: "a=b\r\n", count: 5_000),
      head + String(repeating: "m=audio 9 RTP/AVP 0\r\n", count: 33),
    ] { #expect(throws: SDPParseError.tooLong) { try SessionDescription(parsing: text) } }
  }

  @Test("changed offers never trap, and whatever is read can be written", arguments: 0..<20 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let original = Array(Self.offer.utf8)
    for _ in 0..<200 {
      var bytes = original
      for _ in 0..<Int(random.next() % 8) + 1 {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(Int(random.next() % 40)), at: place)
        }
      }
      guard let description = try? SessionDescription(parsing: String(decoding: bytes, as: UTF8.self)) else { continue }
      for medium in description.media {
        _ = (medium.codecs, medium.headerExtensions, medium.sources, medium.simulcastSendLayers)
        _ = (description.fingerprints(of: medium), medium.sourceGroups("FID"))
      }
      #expect((try? SessionDescription(parsing: description.text)) != nil)
    }
  }
}
