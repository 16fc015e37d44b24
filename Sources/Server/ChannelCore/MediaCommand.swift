public import ControlWire
public import ForwardingCore
public import MediaBase

/// What the control plane tells the forwarding room. Commands must be carried out in order.
public enum MediaCommand: Hashable, Sendable {
  /// A user has joined: expect its media.
  case addPeer(MediaPeer)
  /// A user's media connection gets other ICE credentials and goes on.
  case restartICE(client: UInt64, local: ICEParameters, remote: ICEParameters)
  /// A user is gone; its routes in both directions go with it.
  case removePeer(client: UInt64)
  /// What a peer may send from now on; packets of other tracks are dropped. `.none` until the first such command.
  case setPublished(client: UInt64, tracks: TrackFlags)
  /// A peer's voice is one of a channel's, of which the loudest may be chosen; 0 if it is always forwarded.
  case setVoiceChannel(client: UInt64, channel: UInt64)
  /// Forward a publisher's tracks to a subscriber.
  case addRoute(MediaRoute)
  /// What a subscriber wants of a publisher has changed; the route exists.
  case setSubscribed(subscriber: UInt64, publisher: UInt64, tracks: TrackFlags)
  /// How much of a publisher's video a subscriber wants at most has changed; the route exists.
  case setTarget(subscriber: UInt64, publisher: UInt64, target: LayerTarget)
  /// What may become of the videos that a peer receives where its path does not carry them has changed.
  case setFallback(client: UInt64, VideoFallback)
  /// Stop forwarding and forget the route's SSRCs.
  case removeRoute(subscriber: UInt64, publisher: UInt64)
}

/// One user's media connection.
public struct MediaPeer: Hashable, Sendable {
  /// The control connection it belongs to.
  public var client: UInt64
  /// A number of its channel's; 0 if its voice is always forwarded.
  public var channel: UInt64
  /// The server's ICE credentials.
  public var localICE: ICEParameters
  /// The client's ICE credentials.
  public var remoteICE: ICEParameters
  /// Where the keys come from.
  public var security: MediaSecurity
  /// SSRCs that the client sends with; 0 for those that its packets will tell.
  public var ssrcs: TrackSSRCs
  /// The numbers of codecs and header extensions on this connection.
  public var format: ForwardedFormat
  /// The encodings of the client's video, if there are several.
  public var layers: [ForwardedLayer] = []
  /// What the client's packets may say of their medium; empty if unknown.
  public var audioMediaID: [UInt8] = []
  /// The same for video.
  public var videoMediaID: [UInt8] = []
  /// The host from which the client has asked for the session over TCP, if that is known; the port means nothing.
  public var provedHost: TransportAddress?
}

/// Where the SRTP keys of a media connection come from.
public enum MediaSecurity: Hashable, Sendable {
  /// The join answer told them.
  case keys(SRTPParameters)
  /// A DTLS handshake with a certificate of this SHA-256 fingerprint.
  case dtls(fingerprint: [UInt8])
}

/// The way of one publisher's tracks to one subscriber.
public struct MediaRoute: Hashable, Sendable {
  /// Who receives.
  public var subscriber: UInt64
  /// Who sends.
  public var publisher: UInt64
  /// By which SSRCs the subscriber receives.
  public var ssrcs: TrackSSRCs
  /// What the subscriber wants.
  public var subscribed: TrackFlags
  /// How much of the video it wants at most.
  public var target = LayerTarget.best
  /// Whether another route may come under these SSRCs when this one has ended.
  public var keepsNumbers = false
}
