import ControlWire
import ICEAgent
import MediaBase
import SDPWire
import SecureChannel

/// What both sides have agreed on: where to send, with which keys and numbers.
struct MediaPath {
  enum Security {
    case dtls(fingerprint: [UInt8])
    case keys(outgoing: SRTPKeyMaterial, incoming: SRTPKeyMaterial)
  }

  var credentials: ICECredentials
  var candidates: [TransportAddress]
  var security: Security
  var audioLevelExtension: UInt8
  var transportExtension: UInt8
  var retransmissionPayloadType: UInt8?

  static let opus: UInt8 = 111
  static let vp8: UInt8 = 96
  static let rtx: UInt8 = 97
}

extension MediaPath {
  /// Reads the answer to `OfferText`.
  init?(answer text: String) {
    guard let answer = try? SessionDescription(parsing: text) else { return nil }
    let media = answer.media.filter { !$0.isRejected }
    guard let ice = media.lazy.compactMap({ answer.iceCredentials(of: $0) }).first,
      let fingerprint = media.lazy.flatMap({ answer.fingerprints(of: $0) }).first
    else { return nil }
    credentials = ICECredentials(usernameFragment: ice.usernameFragment, password: ice.password)
    candidates = media.flatMap { $0.attributes.values("candidate") }.compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 7, words[2].lowercased() == "udp", words[1] == "1", let port = UInt16(words[5]) else {
        return nil
      }
      return TransportAddress(host: String(words[4]), port: port)
    }
    security = .dtls(fingerprint: fingerprint.bytes)
    let extensions = media.flatMap(\.headerExtensions)
    audioLevelExtension = extensions.first { $0.uri == OfferText.audioLevel }?.id ?? 0
    transportExtension = extensions.first { $0.uri == OfferText.transportSequence }?.id ?? 0
    let hasRetransmission = media.flatMap(\.codecs).contains { $0.payloadType == Self.rtx }
    retransmissionPayloadType = hasRetransmission ? Self.rtx : nil
  }

  /// What the answer to `join` says.
  init?(joined: JoinedResponse) {
    guard let outgoing = SRTPKeyMaterial(hexadecimal: joined.srtp.clientKey),
      let incoming = SRTPKeyMaterial(hexadecimal: joined.srtp.serverKey)
    else { return nil }
    credentials = ICECredentials(usernameFragment: joined.ice.usernameFragment, password: joined.ice.password)
    candidates = joined.candidates.compactMap { TransportAddress(host: $0.host, port: $0.port) }
    security = .keys(outgoing: outgoing, incoming: incoming)
    audioLevelExtension = joined.rtp.audioLevelExtension
    transportExtension = joined.rtp.transportCCExtension
    retransmissionPayloadType = joined.rtp.rtx
  }
}

/// An offer as a browser writes it, without what nobody here reads.
enum OfferText {
  static let audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
  static let transportSequence = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

  static func make(
    publishes: Bool, _ credentials: ICECredentials, fingerprint: [UInt8], ssrcs: TrackSSRCs
  ) -> String {
    let direction = publishes ? "sendonly" : "recvonly"
    let transport = """
      c=IN IP4 0.0.0.0
      a=rtcp:9 IN IP4 0.0.0.0
      a=ice-ufrag:\(credentials.usernameFragment)
      a=ice-pwd:\(credentials.password)
      a=fingerprint:\(SDPFingerprint(hashFunction: "sha-256", bytes: fingerprint).value)
      a=setup:active
      a=rtcp-mux
      a=\(direction)
      a=extmap:3 \(transportSequence)
      """
    let audioSource = publishes ? "\na=ssrc:\(ssrcs.audio) cname:bench\na=msid:bench audio" : ""
    let videoSource =
      publishes
      ? "\na=ssrc-group:FID \(ssrcs.video) \(ssrcs.videoRTX)\na=ssrc:\(ssrcs.video) cname:bench"
        + "\na=ssrc:\(ssrcs.videoRTX) cname:bench\na=msid:bench video" : ""
    let text = """
      v=0
      o=- 1 1 IN IP4 127.0.0.1
      s=-
      t=0 0
      a=group:BUNDLE 0 1
      m=audio 9 UDP/TLS/RTP/SAVPF 111
      a=mid:0
      \(transport)
      a=extmap:1 \(audioLevel)
      a=rtpmap:111 opus/48000/2
      a=rtcp-fb:111 transport-cc\(audioSource)
      m=video 9 UDP/TLS/RTP/SAVPF 96 97
      a=mid:1
      \(transport)
      a=rtpmap:96 VP8/90000
      a=rtcp-fb:96 nack
      a=rtcp-fb:96 nack pli
      a=rtcp-fb:96 transport-cc
      a=rtpmap:97 rtx/90000
      a=fmtp:97 apt=96\(videoSource)

      """
    return text.split(separator: "\n").map { $0 + "\r\n" }.joined()
  }
}
