import ControlWire
public import MediaBase

/// What tokens allow ends.
extension ChannelDirectory {
  /// How long before the end of a right its user is told.
  static var expiryWarning: MediaDuration { .seconds(Int64(30)) }

  /// When `handleTimeout(now:)` wants to be called; nil while no token ends and no change waits to be told.
  public var nextTimeout: MediaInstant? { .earliest(tokenDeadlines.nextTime, noticeDeadlines.nextTime) }

  /// Warns users whose rights end soon, ends those whose time is over, and tells changes that have waited.
  public mutating func handleTimeout(now: MediaInstant) {
    while let client = tokenDeadlines.popFirst(dueAt: now) {
      checkToken(of: client, now: now)
      tokenDeadlines.set(client, members[client]?.tokenDeadline(after: now))
    }
    tellWaiting(now: now)
  }

  /// The rights of a user who has joined, or has brought a new token.
  mutating func setGrant(_ grant: ChannelGrant, of client: UInt64, now: MediaInstant) {
    guard let before = members[client] else { return }
    var after = before
    after.grant = grant
    after.publishable = grant.publishable(now)
    after.maySendData = grant.publishData.allows(now)
    after.isWarned = false
    members[client] = after
    publishedChanged(from: before, to: after, now: now)
    tokenDeadlines.set(client, after.tokenDeadline(after: now))
  }

  private mutating func checkToken(of client: UInt64, now: MediaInstant) {
    guard let before = members[client] else { return }
    guard before.grant.join.allows(now) else { return expire(client) }
    var after = before
    after.publishable = before.grant.publishable(now)
    after.maySendData = before.grant.publishData.allows(now)
    if after.publishable != before.publishable || after.maySendData != before.maySendData { after.isWarned = false }
    if !after.isWarned, let end = after.grant.nextEnd(after: now), end - now <= Self.expiryWarning {
      after.isWarned = true
      send(
        .tokenWillExpire(TokenExpiryResponse(remainingMilliseconds: Int((end - now).milliseconds))), to: client)
    }
    members[client] = after
    publishedChanged(from: before, to: after, now: now)
  }

  private mutating func expire(_ client: UInt64) {
    remove(client, reason: .dropped)
    let error = ErrorResponse(code: .tokenExpired, message: "The token has expired; join again with a new one.")
    deliveries.append(ControlDelivery(client: client, response: .removed(error), closesAfter: true))
  }

  /// Tells the forwarding room and the others what a user who stays as visible as before publishes now.
  mutating func publishedChanged(from before: ChannelMember, to after: ChannelMember, now: MediaInstant) {
    let isOther = after.published != before.published
    if isOther { mediaCommands.append(.setPublished(client: after.client, tracks: after.published)) }
    guard before.isVisible, after.isVisible, isOther || after.mediaState != before.mediaState else { return }
    tellState(of: after.client, now: now)
  }
}
