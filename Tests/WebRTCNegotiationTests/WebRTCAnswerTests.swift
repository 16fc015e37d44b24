import ControlWire
import ForwardingCore
import SDPWire
import Testing

@testable import WebRTCNegotiation

@Suite("Answers to offers of browsers")
struct WebRTCAnswerTests {
  static let server = WebRTCAnswerParameters(
    serverICE: ICEParameters(usernameFragment: "serverfr", password: "0123456789abcdefghijklmn"),
    candidates: [CandidateAddress(host: "192.0.2.1", port: 7_000), CandidateAddress(host: "2001:db8::1", port: 7_000)],
    fingerprint: Array(0..<32), receiveSSRCs: TrackSSRCs(audio: 11, video: 12, videoRTX: 13), cname: "server",
    sessionID: 4_611_731_400_430_051_336)

  static let publisher = """
    v=0\r
    o=- 4611731400430051336 2 IN IP4 127.0.0.1\r
    s=-\r
    t=0 0\r
    a=group:BUNDLE 0 1 2\r
    a=extmap-allow-mixed\r
    m=audio 9 UDP/TLS/RTP/SAVPF 111 63\r
    a=ice-ufrag:Ab+/\r
    a=ice-pwd:0123456789abcdefghijklmn\r
    a=ice-options:trickle\r
    a=fingerprint:sha-256 00:01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:FF\r
    a=setup:actpass\r
    a=mid:0\r
    a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r
    a=sendonly\r
    a=rtcp-mux\r
    a=rtpmap:111 opus/48000/2\r
    a=fmtp:111 minptime=10;useinbandfec=1\r
    a=rtpmap:63 red/48000/2\r
    a=ssrc:21 cname:x\r
    m=video 9 UDP/TLS/RTP/SAVPF 96 97\r
    a=mid:1\r
    a=rtcp-mux\r
    a=rtcp-rsize\r
    a=sendonly\r
    a=rtpmap:96 VP8/90000\r
    a=rtcp-fb:96 goog-remb\r
    a=rtcp-fb:96 nack\r
    a=rtpmap:97 rtx/90000\r
    a=fmtp:97 apt=96\r
    a=ssrc-group:FID 22 23\r
    a=ssrc:22 cname:x\r
    a=ssrc:23 cname:x\r
    m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r
    a=mid:2\r

    """

  @Test("a publisher's offer gives what the directory needs, and an answer")
  func publish() throws {
    let offer = try WebRTCOffer(parsing: Self.publisher, purpose: .publish)
    #expect(offer.ice == ICEParameters(usernameFragment: "Ab+/", password: "0123456789abcdefghijklmn"))
    #expect(offer.fingerprint.last == 0xFF && offer.isTrickling)
    #expect(offer.publishes == TrackFlags(audio: true, video: true) && offer.receives == .none)
    #expect(offer.sendSSRCs == TrackSSRCs(audio: 21, video: 22, videoRTX: 23))
    #expect(
      offer.format
        == ForwardedFormat(
          opusPayloadType: 111, vp8PayloadType: 96, rtxPayloadType: 97, audioLevelExtensionID: 1,
          transportSequenceExtensionID: 0))
    let answer = try SessionDescription(parsing: offer.answer(Self.server).text)
    #expect(answer.media.map(\.port) == [9, 9, 0] && answer.bundledIdentifications == ["0", "1"])
    #expect(answer.media.map(\.direction) == [.recvonly, .recvonly, .inactive])
    #expect(answer.media[1].formats == ["96", "97"] && answer.media[1].codecs[0].feedback == ["nack"])
  }
}
