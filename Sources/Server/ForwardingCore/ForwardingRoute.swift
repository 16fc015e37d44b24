/// The way of one publisher's tracks to one subscriber.
public struct ForwardingRoute: Hashable, Sendable {
  /// Who receives.
  public var subscriber: UInt64
  /// Who sends.
  public var publisher: UInt64
  /// By which SSRCs the subscriber receives; used for no other route of this subscriber, now or later.
  public var ssrcs: ForwardedSSRCs
  /// What the subscriber wants.
  public var subscribed: ForwardedTracks

  /// Makes a route.
  public init(subscriber: UInt64, publisher: UInt64, ssrcs: ForwardedSSRCs, subscribed: ForwardedTracks) {
    self.subscriber = subscriber
    self.publisher = publisher
    self.ssrcs = ssrcs
    self.subscribed = subscribed
  }
}
