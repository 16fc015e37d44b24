import ForwardingCore

/// One of several encodings that a client will send of one video.
struct AcceptedLayer: Hashable, Sendable {
  /// The `rid` (RFC 8851); empty where SSRCs tell encodings apart.
  var restrictionID = ""
  /// What the answer repeats of the restrictions behind the `rid`; empty without.
  var restrictions = ""
  var ssrc: UInt32 = 0
  var retransmissionSSRC: UInt32 = 0

  /// For the packet path.
  var forwarded: ForwardedLayer {
    ForwardedLayer(restrictionID: Array(restrictionID.utf8), ssrc: ssrc, rtxSSRC: retransmissionSSRC)
  }
}
