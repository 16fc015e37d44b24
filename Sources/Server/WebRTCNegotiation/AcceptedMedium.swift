import SDPWire

/// A section of an offer that the answer will accept.
struct AcceptedMedium: Hashable, Sendable {
  /// Its place in the offer.
  var index: Int
  /// Opus or VP8, as offered.
  var codec: SDPCodec
  /// VP8's retransmissions (RFC 4588).
  var retransmission: SDPCodec?
  /// Redundant audio (RFC 2198) around Opus.
  var redundancy: SDPCodec?
  /// The section's name (`a=mid`).
  var identification: String?
  /// Header extensions that both sides know, as offered.
  var extensions: [SDPHeaderExtension]
  /// The SSRCs that the client will send with; 0 for those that are not told.
  var ssrc: UInt32 = 0
  var retransmissionSSRC: UInt32 = 0
  /// The encodings of a video that comes in several, smallest first as far as their names and places tell; else empty.
  var layers: [AcceptedLayer] = []

  /// Whether a publisher is told how much it may send (draft-alvestrand-rmcat-remb-03), if its packets say when they were
  /// sent.
  var isToldEstimate = false

  func extensionID(_ uri: String) -> UInt8 { extensions.first { $0.uri == uri }?.id ?? 0 }
}
