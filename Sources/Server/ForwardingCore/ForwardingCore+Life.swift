public import MediaBase

/// Signs of life: any authentic packet of a peer is one. Checks and reports are noted when they come; media, of which there is
/// much, is looked for whenever a peer is looked at anyway.
extension ForwardingCore {
  /// When something authentic came last from a connected peer; nil if it is not connected.
  public mutating func lifeTime(of client: UInt64, now: MediaInstant) -> MediaInstant? {
    guard let peer = peersByClient[client], peers[peer].isConnected else { return nil }
    lookForMedia(of: peer, now: now)
    return peers[peer].lifeTime
  }

  /// Something authentic has come from a peer.
  mutating func noteLife(of peer: Int32, now: MediaInstant) {
    peers[peer].lifeTime = now
    guard peers[peer].isSilent else { return }
    peers[peer].isSilent = false
    events.append(.peerHeard(client: peers[peer].client))
  }

  /// Reports a connected peer that has been silent for too long.
  mutating func watchLife(of peer: Int32, now: MediaInstant) {
    lookForMedia(of: peer, now: now)
    guard !peers[peer].isSilent, now - peers[peer].lifeTime >= configuration.silenceTimeout else { return }
    peers[peer].isSilent = true
    events.append(.peerSilent(client: peers[peer].client))
  }

  private mutating func lookForMedia(of peer: Int32, now: MediaInstant) {
    var count = streams[peers[peer].audioStream].arrivalCount
    var position = 0
    while let stream = peers[peer].videoStream(position) {
      count &+= streams[stream].arrivalCount
      position += 1
    }
    guard count != peers[peer].lifeArrivalCount else { return }
    peers[peer].lifeArrivalCount = count
    noteLife(of: peer, now: now)
  }
}
