public import ControlWire
public import ForwardingCore

/// What a participant by WebRTC brings along when it joins: what offer and answer have settled.
///
/// It sees at most one other user, under SSRCs that never change: those of its answer.
public struct WebRTCJoin: Hashable, Sendable {
  /// SHA-256 of its certificate.
  public var fingerprint: [UInt8]
  /// The numbers of codecs and header extensions.
  public var format: ForwardedFormat
  /// What it sends with; 0 for those that its offer does not tell.
  public var sendSSRCs: TrackSSRCs
  /// What it receives with; `nil` if it does not receive.
  public var receiveSSRCs: TrackSSRCs?
  /// Whom it wants to see; `nil` for whoever is there.
  public var wantedUID: UInt?

  /// Makes a description.
  public init(
    fingerprint: [UInt8], format: ForwardedFormat, sendSSRCs: TrackSSRCs, receiveSSRCs: TrackSSRCs?, wantedUID: UInt?
  ) {
    self.fingerprint = fingerprint
    self.format = format
    self.sendSSRCs = sendSSRCs
    self.receiveSSRCs = receiveSSRCs
    self.wantedUID = wantedUID
  }
}
