public import ControlWire
public import ForwardingCore
public import MediaBase

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
  /// The encodings of its video, if there are several; `sendSSRCs` then counts for its sound only.
  public var sendLayers: [ForwardedLayer] = []
  /// What its packets may say of their medium by the `mid` extension (RFC 9143 section 15); empty if unknown.
  public var audioMediaID: [UInt8] = []
  /// The same for video.
  public var videoMediaID: [UInt8] = []
  /// How much of the video it wants to receive at most.
  public var target = LayerTarget.best
  /// What it receives with; `nil` if it does not receive.
  public var receiveSSRCs: TrackSSRCs?
  /// Whom it wants to see; `nil` for whoever is there.
  public var wantedUID: UInt?
  /// The host from which it has asked over TCP, which proves that it is there; the port means nothing. `nil` if it is not
  /// known, as behind a proxy.
  public var provedHost: TransportAddress?

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
