import ControlWire
import ForwardingCore

/// What users are told of encodings of videos: publishers that a small one is wanted, viewers that none fits.
extension ChannelDirectory {
  /// The path to a subscriber carries no video of a publisher any more, or does again. Participants by WebRTC have no
  /// message for it.
  mutating func videoPaused(_ isPaused: Bool, subscriber: UInt64, publisher: UInt64) {
    guard let member = members[subscriber], member.webRTC == nil, member.received[publisher] != nil,
      let uid = members[publisher]?.uid
    else { return }
    send(.videoPaused(VideoPausedResponse(uid: uid, isPaused: isPaused)), to: subscriber)
  }

  /// Asks the publishers whom `subscriber` receives for their small encoding if it wants no more of them. Only who can be
  /// seen may cause others to encode twice: there are few of those, and thousands in an audience.
  mutating func requestLowVideo(by subscriber: UInt64) {
    guard let member = members[subscriber] else { return }
    for publisher in member.received.keys.sorted() { requestLowVideo(of: publisher, by: member) }
  }

  /// Asks one publisher, once.
  mutating func requestLowVideo(of publisher: UInt64, by subscriber: ChannelMember) {
    guard subscriber.isVisible, let member = members[publisher], member.hasLowVideo, !member.isLowVideoRequested,
      subscriber.target(of: member.uid).spatial == 0
    else { return }
    members[publisher]?.isLowVideoRequested = true
    send(.lowVideoRequested, to: publisher)
  }
}
