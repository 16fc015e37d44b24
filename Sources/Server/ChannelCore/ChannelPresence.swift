public import ControlWire

/// A user has entered or left a communication channel, other than as a mere player by WebRTC.
public struct ChannelPresence: Hashable, Sendable {
  /// The channel.
  public var channel: String
  /// Who.
  public var uid: UInt
  /// Whether the user is there now.
  public var isPresent: Bool

  /// Makes a presence.
  public init(channel: String, uid: UInt, isPresent: Bool) {
    self.channel = channel
    self.uid = uid
    self.isPresent = isPresent
  }
}

extension ChannelDirectory {
  /// The next change of who is in which communication channel, or `nil`. Calls are in those; in channels with an audience
  /// of thousands nobody needs to be missed.
  public mutating func pollPresence() -> ChannelPresence? { presences.popFirst() }

  mutating func noteChange(of member: ChannelMember, isPresent: Bool) {
    guard member.profile == .communication, member.webRTC?.receiveSSRCs == nil else { return }
    presences.append(ChannelPresence(channel: member.channel, uid: member.uid, isPresent: isPresent))
  }

  /// Tells a user of a channel something that it has not asked for. Nothing happens if it is not there.
  public mutating func tell(_ error: ErrorResponse, uid: UInt, in channel: String) {
    guard let client = channels[channel]?.clients[uid] else { return }
    send(.error(error), to: client)
  }
}
