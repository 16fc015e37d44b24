/// One of several encodings of a user's video, as its offer tells of it (RFC 8853 section 5.1).
public struct ForwardedLayer: Hashable, Sendable {
  /// The `rid` (RFC 8851) that its packets carry until the SSRC is known (RFC 8852); empty if the SSRC is announced.
  public var restrictionID: [UInt8]
  /// 0 if its packets will tell.
  public var ssrc: UInt32
  /// SSRC of its retransmissions (RFC 4588); 0 if these will tell by their `repaired-rtp-stream-id`.
  public var rtxSSRC: UInt32

  /// Makes a description.
  public init(restrictionID: [UInt8] = [], ssrc: UInt32 = 0, rtxSSRC: UInt32 = 0) {
    self.restrictionID = restrictionID
    self.ssrc = ssrc
    self.rtxSSRC = rtxSSRC
  }
}
