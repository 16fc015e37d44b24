import MediaBase

/// Of a channel's voices, the loudest are forwarded.
///
/// A voice that is forwarded stays until a place is needed: by somebody who talks while it is silent, or who is clearly
/// louder. What changes at a packet takes a look at the few voices that are heard; subscribers are touched only when the
/// choice changes.
extension ForwardingCore {
  /// Takes a new peer's voice into its channel's choice.
  mutating func enterSpeakerGroup(_ channel: UInt64, peer: Int32) {
    guard configuration.loudestSpeakers > 0, channel != 0 else { return }
    let group = speakerGroupsByChannel[channel] ?? speakerGroups.insert(SpeakerGroup(number: channel))
    speakerGroupsByChannel[channel] = group
    speakerGroups[group].peerCount += 1
    speakerGroups[group].heard.reserveCapacity(configuration.loudestSpeakers)
    streams[peers[peer].audioStream].speakerGroup = group
    streams[peers[peer].audioStream].isHeard = false
  }

  /// A peer is leaving.
  mutating func leaveSpeakerGroup(_ stream: Int32) {
    let group = streams[stream].speakerGroup
    guard group >= 0 else { return }
    silence(stream)
    streams[stream].speakerGroup = Pool<SpeakerGroup>.none
    speakerGroups[group].peerCount -= 1
    guard speakerGroups[group].peerCount == 0 else { return }
    speakerGroupsByChannel[speakerGroups[group].number] = nil
    speakerGroups.remove(group)
  }

  /// Makes a peer's voice one of a channel's, of which the loudest are forwarded, or with 0 one that always is.
  public mutating func setVoiceChannel(client: UInt64, channel: UInt64) {
    guard configuration.loudestSpeakers > 0, let peer = peersByClient[client] else { return }
    let stream = peers[peer].audioStream
    leaveSpeakerGroup(stream)
    if channel == 0 {
      if !streams[stream].isHeard { setHeard(stream, true) }
    } else {
      if streams[stream].isHeard { setHeard(stream, false) }
      enterSpeakerGroup(channel, peer: peer)
    }
  }

  /// Frees a voice's place, for example since it is not published any more.
  mutating func silence(_ stream: Int32) {
    guard streams[stream].speakerGroup >= 0, streams[stream].isHeard else { return }
    speakerGroups[streams[stream].speakerGroup].heard.removeAll { $0 == stream }
    setHeard(stream, false)
  }

  /// Takes note of a packet of sound that has just been kept; whether it is to be forwarded.
  mutating func hear(_ stream: Int32, now: MediaInstant) -> Bool {
    let group = streams[stream].speakerGroup
    guard group >= 0 else { return true }
    let arrival = streams[stream].arrivalCount &- 1
    guard let record = streams[stream].history.record(arrivedAs: arrival) else { return streams[stream].isHeard }
    let level = record.audioLevel
    streams[stream].voice.heard(level: level == PacketRecord.noLevel ? nil : level, arrival: arrival, now: now)
    guard !streams[stream].isHeard else { return true }
    if speakerGroups[group].heard.count < configuration.loudestSpeakers {
      return take(stream, in: group, inPlaceOf: nil)
    }
    if streams[stream].voice.isTalking(now: now) {
      guard let weakest = weakest(of: group, now: now), gives(weakest, wayTo: stream, now: now) else { return false }
      return take(stream, in: group, inPlaceOf: weakest)
    }
    guard speakerGroups[group].nextAbsenceCheck <= now else { return false }
    speakerGroups[group].nextAbsenceCheck = now + SpeakerGroup.absenceInterval
    guard let gone = speakerGroups[group].heard.first(where: { !streams[$0].voice.isPresent(now: now) }) else {
      return false
    }
    return take(stream, in: group, inPlaceOf: gone)
  }

  /// The one of the voices that are heard who gives way first.
  private func weakest(of group: Int32, now: MediaInstant) -> Int32? {
    speakerGroups[group].heard.min { one, other in
      let talks = (streams[one].voice.isTalking(now: now), streams[other].voice.isTalking(now: now))
      guard talks.0 == talks.1 else { return !talks.0 }
      return streams[one].voice.loudness(now: now) < streams[other].voice.loudness(now: now)
    }
  }

  private func gives(_ weakest: Int32, wayTo stream: Int32, now: MediaInstant) -> Bool {
    guard streams[weakest].voice.isTalking(now: now) else { return true }
    return streams[stream].voice.loudness(now: now)
      > streams[weakest].voice.loudness(now: now) + SpeakerGroup.advantage
  }

  private mutating func take(_ stream: Int32, in group: Int32, inPlaceOf other: Int32?) -> Bool {
    if let other { silence(other) }
    speakerGroups[group].heard.append(stream)
    setHeard(stream, true)
    return true
  }

  /// Subscribers get a voice from the beginning of its present sound, as a segment of its own; one that falls silent
  /// waits for the next.
  private mutating func setHeard(_ stream: Int32, _ isHeard: Bool) {
    streams[stream].isHeard = isHeard
    for egress in streams[stream].fanOut {
      if isHeard, egresses[egress].phase == .waiting {
        egresses[egress].cursor = max(streams[stream].voice.onset, egresses[egress].cursorFloor)
      } else if !isHeard, egresses[egress].phase == .forwarding {
        egresses[egress].wait(for: stream, from: streams[stream].arrivalCount)
      }
    }
  }
}
