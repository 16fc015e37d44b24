import ControlWire
import ForwardingCore

/// A joined user.
struct ChannelMember: Sendable {
  let client: UInt64
  let uid: UInt
  let channel: String
  let profile: ChannelProfile
  var role: ClientRole
  /// As asked for; inert while the user may not publish.
  var publish: TrackFlags
  var subscribe: Subscription
  let ssrcs: TrackSSRCs
  /// By which SSRCs this user receives each visible publisher, by the publisher's connection.
  var received: [UInt64: TrackSSRCs] = [:]
  /// All SSRCs that were ever used on this user's connection, in both directions.
  var usedSSRCs: Set<UInt32>
  /// For a participant by WebRTC.
  var webRTC: WebRTCJoin?

  /// Whether others see this user: as broadcaster, and in a communication channel always, except a player by WebRTC.
  var isVisible: Bool { role == .broadcaster || (profile == .communication && webRTC?.receiveSSRCs == nil) }

  /// How much of a publisher's video the user wants at most.
  func target(of uid: UInt) -> LayerTarget { webRTC?.target ?? LayerTarget(subscribe.layers(of: uid)) }

  /// What the user really publishes.
  var published: TrackFlags { isVisible ? publish : .none }
}

/// A channel with at least one user.
struct Channel: Sendable {
  let profile: ChannelProfile
  /// Connections by uid.
  var clients: [UInt: UInt64] = [:]
}
