import ControlWire
import MediaBase

/// Users from whom nothing comes, and users who come again over another connection.
extension ChannelDirectory {
  /// Nothing has come from a user for a long time, or something comes again: the others are told that it has been dropped,
  /// and that it is back. It stays in its channel, since its network may only be cut.
  mutating func setAway(_ isAway: Bool, client: UInt64, now: MediaInstant) {
    guard let before = members[client], before.isAway != isAway else { return }
    var after = before
    after.isAway = isAway
    members[client] = after
    publishedChanged(from: before, to: after, now: now)
    guard before.isVisible != after.isVisible else { return }
    noticeDeadlines.set(client, nil)
    if after.isVisible { show(after) } else { hide(after, reason: .dropped) }
  }

  /// The media connection of a user is there for the first time. Participants by WebRTC are shown to others only now.
  mutating func connected(_ client: UInt64) {
    guard let member = members[client], member.webRTC != nil else { return }
    deliveries.append(ControlDelivery(client: client, response: nil, isConnected: true))
    guard member.isAwaited else { return }
    members[client]?.isAwaited = false
    if let member = members[client] { show(member) }
  }

  /// The control connection of a user has ended without a goodbye. False if there is nobody to wait for: nobody sees the
  /// user, or it is none of ours.
  mutating func abandon(_ client: UInt64, now: MediaInstant) -> Bool {
    guard let member = members[client], member.isVisible, member.webRTC == nil else { return false }
    members[client]?.abandonTime = now
    noteChange(of: member, isPresent: false)
    return true
  }

  /// When the control connection of a user ended who has not come back yet.
  func abandonTime(of client: UInt64) -> MediaInstant? { members[client]?.abandonTime }

  /// Takes a user out whose newer connection takes the place of this one. Returns who saw it: for them the user stays, so
  /// they are told nothing before the newer one is there.
  mutating func handOver(_ client: UInt64) -> [UInt64] {
    guard let member = takeOut(client), member.isVisible else { return [] }
    return others(of: member).filter { unroute(from: client, to: $0) }
  }

  /// Tells those who saw the older connection of a user that they no longer do, if they do not see the newer one: whoever
  /// does has been told by which SSRCs.
  mutating func finishHandOver(to member: ChannelMember, seenBy watchers: [UInt64]) {
    guard !watchers.isEmpty else { return }
    let candidates = visibleOthers(of: member)
    for watcher in watchers where members[watcher]?.received[member.client] == nil {
      let reason: UserOfflineReason = member.role == .audience ? .becameAudience : .dropped
      send(.userLeft(UserLeftResponse(uid: member.uid, reason: reason)), to: watcher)
      lookForAnother(watcher, among: candidates)
    }
  }
}
