/// The header extensions that the server understands.
enum HeaderExtensionURI {
  /// RFC 6464.
  static let audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
  /// draft-holmer-rmcat-transport-wide-cc-extensions-01.
  static let transportSequence = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
  /// When a packet was sent.
  static let sendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
  /// How long a receiver may let a picture wait.
  static let playoutDelay = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
  /// When a frame was captured.
  static let captureTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"
  /// 3GPP TS 26.114.
  static let orientation = "urn:3gpp:video-orientation"
  /// RFC 9143 section 15.
  static let mediaID = "urn:ietf:params:rtp-hdrext:sdes:mid"
  /// RFC 8852: which encoding a packet is of.
  static let restrictionID = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
  /// RFC 8852: of which encoding a packet is a retransmission.
  static let repairedRestrictionID = "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id"
}
