import MediaBase
import MediaSimulation

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
    tell(member, .joined)
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

  /// A user's connection is lost; its engine finds it again after so many milliseconds, or never.
  mutating func cut(_ uid: UInt, for milliseconds: Int64?) {
    guard let member = members.first(where: { $0.uid == uid }) else { return }
    dropFromChannel(uid)
    tell(member, .cutOff)
    guard let milliseconds else { return }
    schedule(.rejoin(member), in: milliseconds...milliseconds)
  }

  /// Unless the user has left the channel meanwhile.
  mutating func rejoin(_ member: ChannelMember) {
    guard self[member.uid].machine.room == member.room, self[member.uid].joins == member.join,
      !members.contains(where: { $0.uid == member.uid })
    else { return }
    tell(member, .rejoined)
    let others = members.filter { $0.room == member.room }
    members.append(member)
    for other in others {
      tell(other, .userJoined(member.uid))
      show(member, to: other)
    }
    // The engine tells who has gone meanwhile; the others stay for it.
    if let peer = self[member.uid].machine.session.peer, !others.contains(where: { $0.uid == peer }) {
      tell(member, .userLeft(peer, reason: 1))
    }
    for other in others { tell(member, .userJoined(other.uid)) }
  }

  /// Has a user's machine hear at once of something in the channel that it is in.
  mutating func happens(_ uid: UInt, _ event: CallStateMachine.ChannelEvent) {
    guard let room = self[uid].machine.room else { return }
    step(uid) { $0.channel(room, event, now: $1) }
  }

  private mutating func tell(_ member: ChannelMember, _ event: CallStateMachine.ChannelEvent) {
    // One connection carries it all: in order.
    let delay = MediaDuration.milliseconds(.random(in: conditions.channelDelay, using: &random))
    let time = max(timeline.now + delay, self[member.uid].lastNews)
    self[member.uid].lastNews = time
    timeline.schedule(.channel(member.uid, room: member.room, join: member.join, event), at: time)
  }

  private mutating func show(_ publisher: ChannelMember, to member: ChannelMember) {
    guard publisher.publishes, !chance(conditions.frameLoss) else { return }
    let events: [CallStateMachine.ChannelEvent] =
      (publisher.isVideo ? [.remoteVideo(publisher.uid)] : []) + [.remoteAudio(publisher.uid)]
    for event in events {
      schedule(.channel(member.uid, room: member.room, join: member.join, event), in: conditions.frameDelay)
    }
  }

  /// Nobody is seen or heard any more after leaving.
  func isThere(_ publisher: UInt?, _ room: String) -> Bool {
    publisher.map { uid in members.contains { $0.uid == uid && $0.room == room } } ?? true
  }
}

extension CallStateMachine.ChannelEvent {
  /// Whose first frame it is.
  var publisher: UInt? {
    switch self {
    case .remoteVideo(let uid), .remoteAudio(let uid): uid
    default: nil
    }
  }
}
