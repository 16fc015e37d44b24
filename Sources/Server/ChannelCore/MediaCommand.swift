public import ControlWire

/// What the control plane tells the forwarding room. Commands must be carried out in order.
public enum MediaCommand: Hashable, Sendable {
  /// A user has joined: expect its media.
  case addPeer(MediaPeer)
  /// A user is gone; its routes in both directions go with it.
  case removePeer(client: UInt64)
  /// What a peer may send from now on; packets of other tracks are dropped. `.none` until the first such command.
  case setPublished(client: UInt64, tracks: TrackFlags)
  /// Forward a publisher's tracks to a subscriber.
  case addRoute(MediaRoute)
  /// What a subscriber wants of a publisher has changed; the route exists.
  case setSubscribed(subscriber: UInt64, publisher: UInt64, tracks: TrackFlags)
  /// Stop forwarding and forget the route's SSRCs.
  case removeRoute(subscriber: UInt64, publisher: UInt64)
}

/// One user's media connection.
public struct MediaPeer: Hashable, Sendable {
  /// The control connection it belongs to.
  public var client: UInt64
  /// The server's ICE credentials.
  public var localICE: ICEParameters
  /// The client's ICE credentials.
  public var remoteICE: ICEParameters
  /// Keys of both directions.
  public var srtp: SRTPParameters
  /// SSRCs that the client sends with.
  public var ssrcs: TrackSSRCs
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
}
