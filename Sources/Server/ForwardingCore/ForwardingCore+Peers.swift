import ICEAgent
public import MediaBase
import SecureChannel

extension ForwardingCore {
  /// Expects a user's media. False, and nothing happens, if the client or its user name fragment is here already or the
  /// keys cannot be used.
  public mutating func addPeer(_ description: ForwardingPeer, now: MediaInstant) -> Bool {
    guard peersByClient[description.client] == nil,
      peersByUsernameFragment[description.localCredentials.usernameFragment] == nil,
      let security = makeSecurity(description.security, now: now)
    else { return false }
    let audio = streams.insert(
      IngressStream(kind: .audio, publisher: Pool<Peer>.none, ssrc: description.ssrcs.audio))
    let video = streams.insert(
      IngressStream(
        kind: .video, publisher: Pool<Peer>.none, ssrc: description.ssrcs.video))
    let cname = String(random.next(), radix: 36)
    let peer = peers.insert(
      Peer(
        description, ice: makeAgent(description, now: now), audioStream: audio, videoStream: video, cname: cname,
        nextReport: now + reportDelay(), now: now))
    switch security {
    case .keys(let incoming, let outgoing): _ = setKeys(of: peer, incoming: incoming, outgoing: outgoing)
    case .dtls(let endpoint): peers[peer].dtls = endpoint
    }
    streams[audio].publisher = peer
    streams[video].publisher = peer
    addLayers(description.layers, of: peer)
    peersByClient[description.client] = peer
    peersByUsernameFragment[description.localCredentials.usernameFragment] = peer
    knownSenderAdditions &+= 1
    // Room for all, so that a turn does not allocate.
    queue.reserveCapacity(peers.count * 2)
    dirtyStreams.reserveCapacity(streams.count)
    streamTimers.reserveCapacity(streams.count * 4)
    enterSpeakerGroup(description.channel, peer: peer)
    schedule(peer, now: now)
    return true
  }

  /// Encodings that one user may have.
  private static var maximumLayers: Int { 3 }

  private mutating func addLayers(_ layers: [ForwardedLayer], of peer: Int32) {
    guard layers.count > 1 else { return }
    for (position, layer) in layers.prefix(Self.maximumLayers).enumerated() {
      var stream = peers[peer].videoStream
      if position == 0 {
        if layer.ssrc != 0 { streams[stream].adopt(ssrc: layer.ssrc) }
      } else {
        stream = streams.insert(IngressStream(kind: .video, publisher: peer, ssrc: layer.ssrc))
      }
      peers[peer].layers.append(
        PublishedLayer(
          restrictionID: layer.restrictionID, stream: stream, ssrc: layer.ssrc, rtxSSRC: layer.rtxSSRC))
    }
    peers[peer].ssrcs.video = 0
    peers[peer].ssrcs.videoRTX = 0
  }

  /// The streams of what a peer publishes.
  func publishedStreams(of peer: Int32) -> [Int32] {
    var result = [peers[peer].audioStream, peers[peer].videoStream]
    for layer in peers[peer].layers where layer.stream != peers[peer].videoStream { result.append(layer.stream) }
    return result
  }

  private enum PeerSecurity {
    case keys(incoming: SRTPKeyMaterial, outgoing: SRTPKeyMaterial)
    case dtls(any DTLSEndpoint)
  }

  private func makeSecurity(_ security: ForwardingSecurity, now: MediaInstant) -> PeerSecurity? {
    switch security {
    case .keys(let incoming, let outgoing): return .keys(incoming: incoming, outgoing: outgoing)
    case .dtls(let fingerprint):
      return dtls?.makeEndpoint(isClient: false, remoteFingerprint: fingerprint, now: now).map { .dtls($0) }
    }
  }

  /// Gives a peer its keys; false if they cannot be used.
  mutating func setKeys(of peer: Int32, incoming: SRTPKeyMaterial, outgoing: SRTPKeyMaterial) -> Bool {
    guard let receiver = try? SRTPReceiver(material: incoming, crypto: crypto, maximumStreams: 64),
      let sender = try? SRTPSender(material: outgoing, crypto: crypto, maximumStreams: 65_536)
    else { return false }
    peers[peer].receiver = consume receiver
    peers[peer].sender = consume sender
    return true
  }

  private mutating func makeAgent(_ description: ForwardingPeer, now: MediaInstant) -> ICEAgent {
    let authenticate = crypto.authenticateSHA1
    return ICEAgent(
      configuration: ICEConfiguration(
        role: .lite, localCredentials: description.localCredentials, remoteCredentials: description.remoteCredentials,
        remoteCandidates: [], seed: random.next(), timing: ICETiming(consentTimeout: configuration.consentTimeout)),
      hmacSHA1: { key, message, digest in
        guard let key = key.bindMemory(to: UInt8.self).baseAddress.map({ ($0, key.count) }),
          let message = message.bindMemory(to: UInt8.self).baseAddress.map({ ($0, message.count) }),
          let digest = digest.bindMemory(to: UInt8.self).baseAddress
        else { return false }
        return authenticate(key.0, key.1, message.0, message.1, digest)
      }, now: now)
  }

  /// Gives a peer new ICE credentials. Media goes on where it goes until the peer's checks say otherwise, with the same
  /// keys. False, and nothing happens, if the client is not here or the user name fragment is in use.
  public mutating func restartICE(
    client: UInt64, localCredentials: ICECredentials, remoteCredentials: ICECredentials
  ) -> Bool {
    let name = localCredentials.usernameFragment
    guard let peer = peersByClient[client], !peers[peer].isLost, peersByUsernameFragment[name] == nil else {
      return false
    }
    if peers[peer].usernameFragments.count > 1 {
      peersByUsernameFragment[peers[peer].usernameFragments.removeFirst()] = nil
    }
    peersByUsernameFragment[name] = peer
    knownSenderAdditions &+= 1
    peers[peer].usernameFragments.append(name)
    peers[peer].ice.restart(localCredentials: localCredentials, remoteCredentials: remoteCredentials)
    return true
  }

  /// Forgets a user with its routes in both directions. Nothing happens if it is not here.
  public mutating func removePeer(client: UInt64) {
    guard let peer = peersByClient.removeValue(forKey: client) else { return }
    for egress in peers[peer].egresses where egresses.contains(egress) {
      let publisher = streams[egresses[egress].stream].publisher
      removeRoute(subscriber: client, publisher: peers[publisher].client)
    }
    let audience = streams[peers[peer].audioStream].fanOut
    // None of it is forwarded any more: nobody need be looked for in lists that end with the peer.
    for stream in publishedStreams(of: peer) { streams[stream].fanOut = [] }
    for egress in audience where egresses.contains(egress) {
      removeRoute(subscriber: peers[egresses[egress].subscriber].client, publisher: client)
    }
    leaveSpeakerGroup(peers[peer].audioStream)
    for name in peers[peer].usernameFragments { peersByUsernameFragment[name] = nil }
    for address in peers[peer].addresses { peersByAddress.remove(address) }
    for stream in publishedStreams(of: peer) {
      dirtyStreams.removeAll { $0 == stream }
      streamTimers.remove(stream)
      streams.remove(stream)
    }
    queue.replaceSubrange(queueHead..., with: queue[queueHead...].filter { $0 != peer })
    probedPeers.removeAll { $0 == peer }
    peers.remove(peer)
    if peers.count == 0 { timers.removeAll() }
  }

  /// What a peer may send from now on; packets of other tracks are dropped, also those that have come and were not yet
  /// given out. Nothing may be sent before the first call.
  public mutating func setPublished(client: UInt64, tracks: ForwardedTracks, now: MediaInstant) {
    guard let peer = peersByClient[client] else { return }
    for stream in publishedStreams(of: peer) {
      let published = tracks[streams[stream].kind]
      guard streams[stream].isPublished != published else { continue }
      if !published { silence(stream) }
      streams[stream].setPublished(published)
      for egress in streams[stream].fanOut { refresh(egress, now: now) }
    }
  }

  /// RFC 3550 section 6.2: reports are spread at random around their interval.
  mutating func reportDelay() -> MediaDuration {
    let interval = configuration.reportInterval.nanoseconds
    guard interval > 3 else { return configuration.reportInterval }
    return MediaDuration(nanoseconds: interval * 3 / 4 + Int64.random(in: 0...interval / 2, using: &random))
  }
}
