/// The way of one publisher's tracks to one subscriber.
public struct ForwardingRoute: Hashable, Sendable {
  /// Who receives.
  public var subscriber: UInt64
  /// Who sends.
  public var publisher: UInt64
  /// By which SSRCs the subscriber receives; used for no other route of this subscriber now, and later only if
  /// `keepsNumbers`.
  public var ssrcs: ForwardedSSRCs
  /// Whether a later route may come under the same SSRCs; its numbers then go on where this one's ended.
  public var keepsNumbers: Bool
  /// What the subscriber wants.
  public var subscribed: ForwardedTracks

  /// Makes a route.
  public init(
    subscriber: UInt64, publisher: UInt64, ssrcs: ForwardedSSRCs, subscribed: ForwardedTracks,
    keepsNumbers: Bool = false
  ) {
    self.subscriber = subscriber
    self.publisher = publisher
    self.ssrcs = ssrcs
    self.subscribed = subscribed
    self.keepsNumbers = keepsNumbers
  }
}
