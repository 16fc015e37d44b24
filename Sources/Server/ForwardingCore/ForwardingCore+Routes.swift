public import MediaBase
import SecureChannel

extension ForwardingCore {
  /// Forwards a publisher's tracks to a subscriber. False, and nothing happens, if either is not here or the route is.
  public mutating func addRoute(_ route: ForwardingRoute, now: MediaInstant) -> Bool {
    let key = RouteKey(subscriber: route.subscriber, publisher: route.publisher)
    guard routes[key] == nil, let subscriber = peersByClient[route.subscriber],
      let publisher = peersByClient[route.publisher]
    else { return false }
    routes[key] = RouteEgresses(
      audio: addEgress(to: subscriber, from: peers[publisher].audioStream, ssrc: route.ssrcs.audio, rtxSSRC: 0, route),
      video: addEgress(
        to: subscriber, from: peers[publisher].videoStream, ssrc: route.ssrcs.video, rtxSSRC: route.ssrcs.videoRTX,
        route),
      keepsNumbers: route.keepsNumbers)
    setSubscribed(
      subscriber: route.subscriber, publisher: route.publisher, tracks: route.subscribed, now: now)
    return true
  }

  private mutating func addEgress(
    to subscriber: Int32, from stream: Int32, ssrc: UInt32, rtxSSRC: UInt32, _ route: ForwardingRoute
  ) -> Int32 {
    var new = Egress(
      kind: streams[stream].kind, subscriber: subscriber, stream: stream, ssrc: ssrc, rtxSSRC: rtxSSRC,
      isWanted: false, firstSequenceNumber: UInt16(truncatingIfNeeded: random.next()),
      firstRTXSequenceNumber: UInt16(truncatingIfNeeded: random.next()))
    if let before = peers[subscriber].retired.removeValue(forKey: ssrc) { new.goOn(from: before) }
    let egress = egresses.insert(new)
    streams[stream].fanOut.append(egress)
    peers[subscriber].egresses.append(egress)
    egressesBySSRC.insert(PeerSSRC(peer: subscriber, ssrc: ssrc), egress)
    return egress
  }

  /// What a subscriber wants of a publisher from now on. Nothing happens if there is no such route.
  public mutating func setSubscribed(subscriber: UInt64, publisher: UInt64, tracks: ForwardedTracks, now: MediaInstant)
  {
    guard let route = routes[RouteKey(subscriber: subscriber, publisher: publisher)] else { return }
    for egress in [route.audio, route.video] {
      egresses[egress].isWanted = tracks[egresses[egress].kind]
      refresh(egress, now: now)
    }
  }

  /// Stops forwarding and forgets the route. Nothing happens if there is none.
  public mutating func removeRoute(subscriber: UInt64, publisher: UInt64) {
    guard let route = routes.removeValue(forKey: RouteKey(subscriber: subscriber, publisher: publisher)) else { return }
    for egress in [route.audio, route.video] {
      deactivate(egress)
      let peer = egresses[egress].subscriber
      unlink(egress)
      streams[egresses[egress].stream].removeFromFanOut(egress)
      peers[peer].egresses.removeAll { $0 == egress }
      if peers[peer].reportPosition != nil { peers[peer].reportPosition = 0 }
      peers[peer].retransmissions.removeAll { $0.egress == egress }
      if route.keepsNumbers {
        peers[peer].retired[egresses[egress].ssrc] = egresses[egress]
      } else {
        peers[peer].sender?.forget(ssrc: egresses[egress].ssrc)
        if egresses[egress].rtxSSRC != 0 { peers[peer].sender?.forget(ssrc: egresses[egress].rtxSSRC) }
      }
      egressesBySSRC.remove(PeerSSRC(peer: peer, ssrc: egresses[egress].ssrc))
      egresses.remove(egress)
    }
  }

  /// Starts or stops an egress, as publisher, subscriber and connection now have it.
  mutating func refresh(_ egress: Int32, now: MediaInstant) {
    let stream = egresses[egress].stream
    let active =
      egresses[egress].isWanted && !egresses[egress].isPaused && streams[stream].isPublished
      && peers[egresses[egress].subscriber].isConnected
    guard active != (egresses[egress].phase != .inactive) else { return }
    guard active else { return deactivate(egress) }
    // What came before this moment is not for this subscriber.
    egresses[egress].wait(for: stream, from: streams[stream].arrivalCount)
    egresses[egress].isCountedAsWaiting = true
    streams[stream].keyFrames.subscriberWaits(now: now)
    chooseLayer(of: egress, now: now)
    startFromCache(egress, now: now)
    watch(egresses[egress].stream)
  }

  /// Has everybody who gets or is to get a stream wait for its next start.
  mutating func restartForwarding(of stream: Int32, now: MediaInstant) {
    for egress in streams[stream].fanOut {
      deactivate(egress)
      refresh(egress, now: now)
    }
  }

  private mutating func deactivate(_ egress: Int32) {
    let stream = egresses[egress].stream
    cancelChange(of: egress)
    if egresses[egress].isCountedAsWaiting { streams[stream].keyFrames.subscriberStopsWaiting() }
    egresses[egress].isCountedAsWaiting = false
    egresses[egress].filter = TemporalFilter()
    egresses[egress].phase = .inactive
    egresses[egress].cursor = streams[stream].arrivalCount
  }

  /// Takes an egress out of its subscriber's list of those with work.
  mutating func unlink(_ egress: Int32) {
    guard egresses[egress].isLinked else { return }
    let peer = egresses[egress].subscriber
    var previous = Pool<Egress>.none
    var current = peers[peer].firstLinked
    while current >= 0, current != egress {
      previous = current
      current = egresses[current].next
    }
    let next = egresses[egress].next
    if previous >= 0 { egresses[previous].next = next } else { peers[peer].firstLinked = next }
    if next < 0 { peers[peer].lastLinked = previous }
    egresses[egress].isLinked = false
    egresses[egress].next = Pool<Egress>.none
  }
}
