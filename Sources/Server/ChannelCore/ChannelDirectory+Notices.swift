import ControlWire
import MediaBase

/// Telling everybody else in a channel that a user publishes something else, or is muted for another reason.
///
/// In a large channel one message from a user leads to thousands. What a user's changes may lead to is limited: beyond it only
/// the newest state is told, a little later, so that nothing is lost but what was overtaken.
extension ChannelDirectory {
  /// How many others there are in a member's channel.
  func otherCount(of member: ChannelMember) -> Int { max(0, (channels[member.channel]?.clients.count ?? 0) - 1) }

  /// Tells the others what a visible user publishes, now or as soon as that is allowed.
  mutating func tellState(of client: UInt64, now: MediaInstant) {
    guard let member = members[client], member.isVisible else { return }
    let count = otherCount(of: member)
    guard members[client]?.notices.take(count, now: now) == true else {
      return noticeDeadlines.setIfEarlier(client, member.notices.instant(for: count, now: now))
    }
    noticeDeadlines.set(client, nil)
    let message = UserUpdatedResponse(uid: member.uid, published: member.published, mediaState: member.mediaState)
    for other in others(of: member) { send(.userUpdated(message), to: other) }
  }

  /// Tells what has waited.
  mutating func tellWaiting(now: MediaInstant) {
    while let client = noticeDeadlines.popFirst(dueAt: now) { tellState(of: client, now: now) }
  }

  /// Why a user may not become visible or invisible now: each time everybody else gets a message, and another way for media.
  mutating func refusal(of role: ClientRole?, client: UInt64, requestID: Int, now: MediaInstant) -> ErrorResponse? {
    guard let before = members[client] else { return nil }
    var after = before
    after.role = role ?? before.role
    guard after.isVisible != before.isVisible else { return nil }
    let count = otherCount(of: before)
    guard members[client]?.notices.take(count, now: now) != true else { return nil }
    return ErrorResponse(
      code: .resourceLimited, message: "The role changes too often for a channel with so many users; wait a little.",
      requestID: requestID)
  }
}
