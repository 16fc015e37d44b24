@testable import CallAPI

/// A user in a simulated channel.
struct ChannelMember {
  var uid: UInt
  var room: String
  /// The how many-th join of this user it is: events of earlier ones are late.
  var join: Int
  var publishes: Bool
  var isVideo: Bool
}

/// Channels: who is there sees the others come, go and publish.
extension CallBench {
  mutating func join(_ uid: UInt, _ room: String, isVideo: Bool, publishes: Bool) {
    self[uid].joins += 1
    let number = self[uid].joins
    if chance(conditions.joinFailure) {
      return schedule(
        .channel(uid, room: room, join: number, .failed(code: 2, message: "no")), in: conditions.channelDelay)
    }
    let member = ChannelMember(uid: uid, room: room, join: number, publishes: publishes, isVideo: isVideo)
    schedule(.channel(uid, room: room, join: number, .joined), in: conditions.channelDelay)
    for other in members where other.room == room {
      tell(other, .userJoined(uid))
      tell(member, .userJoined(other.uid))
      show(other, to: member)
      show(member, to: other)
    }
    members.append(member)
  }

  mutating func publish(_ uid: UInt, _ room: String, isVideo: Bool) {
    guard let index = members.firstIndex(where: { $0.uid == uid && $0.room == room }) else { return }
    members[index].publishes = true
    members[index].isVideo = isVideo
    for other in members where other.room == room && other.uid != uid { show(members[index], to: other) }
  }

  mutating func leave(_ uid: UInt, _ room: String) {
    schedule(.channel(uid, room: room, join: self[uid].joins, .left), in: conditions.channelDelay)
    guard let index = members.firstIndex(where: { $0.uid == uid && $0.room == room }) else { return }
    members.remove(at: index)
    for other in members where other.room == room { tell(other, .userLeft(uid, reason: 0)) }
  }

  /// A user's connection is gone without a word; the others find out.
  mutating func dropFromChannel(_ uid: UInt) {
    for member in members where member.uid == uid {
      for other in members where other.room == member.room && other.uid != uid {
        tell(other, .userLeft(uid, reason: 1))
      }
    }
    members.removeAll { $0.uid == uid }
  }

  /// Has a user's machine hear at once of something in the channel that it is in.
  mutating func happens(_ uid: UInt, _ event: CallStateMachine.ChannelEvent) {
    guard let room = self[uid].machine.room else { return }
    step(uid) { $0.channel(room, event, now: $1) }
  }

  private mutating func tell(_ member: ChannelMember, _ event: CallStateMachine.ChannelEvent) {
    schedule(.channel(member.uid, room: member.room, join: member.join, event), in: conditions.channelDelay)
  }

  private mutating func show(_ publisher: ChannelMember, to member: ChannelMember) {
    guard publisher.publishes, !chance(conditions.frameLoss) else { return }
    let events: [CallStateMachine.ChannelEvent] =
      (publisher.isVideo ? [.remoteVideo(publisher.uid)] : []) + [.remoteAudio(publisher.uid)]
    for event in events {
      schedule(.channel(member.uid, room: member.room, join: member.join, event), in: conditions.frameDelay)
    }
  }
}
