public import ICEAgent
public import MediaBase

/// One user's media connection, as the control plane describes it.
public struct ForwardingPeer: Sendable {
  /// The number that the control plane knows it by.
  public var client: UInt64
  /// The server's ICE credentials for this peer; the user name fragment differs between peers.
  public var localCredentials: ICECredentials
  /// The peer's own.
  public var remoteCredentials: ICECredentials
  /// Where the keys come from.
  public var security: ForwardingSecurity
  /// The host from which a peer that shakes hands has asked for its session over TCP, which proves that it is there; the
  /// port means nothing. `nil` if it is not known, as behind a proxy.
  public var provedHost: TransportAddress?
  /// The SSRCs that the peer publishes with; 0 for those that its first packets will tell.
  public var ssrcs: ForwardedSSRCs
  /// The encodings of its video, smallest first as far as the offer tells; with fewer than two, `ssrcs` counts instead.
  public var layers: [ForwardedLayer] = []
  /// What the peer's packets may say of their medium by the `mid` extension (RFC 9143 section 15); empty if unknown.
  public var audioMediaID: [UInt8] = []
  /// The same for video.
  public var videoMediaID: [UInt8] = []
  /// The channel whose voices it is one of; 0 if its voice is always forwarded.
  public var channel: UInt64 = 0
  /// The numbers of codecs and extensions.
  public var format: ForwardedFormat

  /// Makes a description.
  public init(
    client: UInt64, localCredentials: ICECredentials, remoteCredentials: ICECredentials,
    security: ForwardingSecurity, ssrcs: ForwardedSSRCs, format: ForwardedFormat = ForwardedFormat()
  ) {
    self.client = client
    self.localCredentials = localCredentials
    self.remoteCredentials = remoteCredentials
    self.security = security
    self.format = format
    self.ssrcs = ssrcs
  }
}
