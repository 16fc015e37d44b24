import CongestionControl
import ICEAgent
public import MediaBase
import SecureChannel

extension ForwardingCore {
  /// Does everything that has become due at `now`; drain afterwards.
  public mutating func handleTimeout(now: MediaInstant) {
    while let (tick, peer) = timers.takeDue(now: now) {
      guard peers.contains(peer), peers[peer].timerTick == tick else { continue }
      peers[peer].timerTick = PeerTimers.never
      sweep(peer, now: now)
      schedule(peer, now: now)
    }
    queueDueStreams(now: now)
  }

  /// Has `peer` looked at when it next wants something, or before: what comes from a peer may have this called all the time,
  /// and must not put off again and again what is due.
  mutating func schedule(_ peer: Int32, now: MediaInstant) {
    guard !peers[peer].isLost else { return }
    var time = MediaInstant.earliest(peers[peer].ice.nextTimeout, peers[peer].dtls?.nextTimeout)
    if peers[peer].isConnected {
      time = MediaInstant.earliest(time, peers[peer].nextReport)
      time = MediaInstant.earliest(
        time, peers[peer].arrivals.deadline(interval: configuration.transportFeedbackInterval))
      // Encodings that dry up are noticed soon, and what paths carry is followed closely.
      if peers[peer].layers.count > 1 || peers[peer].downlink != nil {
        time = MediaInstant.earliest(time, now + PeerTimers.step)
      }
    } else {
      time = MediaInstant.earliest(time, peers[peer].addedAt + configuration.connectTimeout)
    }
    if let tick = timers.add(peer, at: time ?? now, unlessBy: peers[peer].timerTick, now: now) {
      peers[peer].timerTick = tick
    }
  }

  private mutating func sweep(_ peer: Int32, now: MediaInstant) {
    guard !peers[peer].isLost else { return }
    noteMediaSource(of: peer, now: now)
    peers[peer].ice.handleTimeout(now: now)
    takeConnectivityEvents(of: peer, now: now)
    handleHandshakeTimeout(of: peer, now: now)
    guard peers[peer].isConnected else {
      if !peers[peer].isLost, now - peers[peer].addedAt >= configuration.connectTimeout { lose(peer, now: now) }
      return
    }
    if peers[peer].arrivals.isDue(now: now, interval: configuration.transportFeedbackInterval) { enqueueControl(peer) }
    watchLife(of: peer, now: now)
    watchLayers(of: peer, now: now)
    sweepDownlink(of: peer, now: now)
    if peers[peer].nextReport <= now {
      peers[peer].nextReport = now + reportDelay()
      peers[peer].reportPosition = 0
      enqueueControl(peer)
    }
  }

  /// Tells a peer's agent where its media came from last. Not for each packet: at each check, and about once a second.
  mutating func noteMediaSource(of peer: Int32, now: MediaInstant) {
    guard let source = peers[peer].mediaSource else { return }
    peers[peer].mediaSource = nil
    peers[peer].ice.heardMedia(from: source, at: peers[peer].mediaTime)
    takeConnectivityEvents(of: peer, now: now)
  }

  mutating func takeConnectivityEvents(of peer: Int32, now: MediaInstant) {
    while let event = peers[peer].ice.pollEvent() {
      switch event {
      // Without keys, the handshake goes on from here.
      case .connected: if peers[peer].isConnected { connected(peer, now: now) }
      case .addressChanged: pathChanged(of: peer, now: now)
      case .disconnected: lose(peer, now: now)
      }
    }
  }

  /// A peer can be sent to, and asked.
  mutating func connected(_ peer: Int32, now: MediaInstant) {
    events.append(.peerConnected(client: peers[peer].client))
    peers[peer].lifeTime = now
    for egress in peers[peer].egresses { refresh(egress, now: now) }
    for stream in publishedStreams(of: peer) { watch(stream) }
    schedule(peer, now: now)
  }

  /// Stops sending to a peer that has gone (RFC 7675 section 5.1) and reports it.
  mutating func lose(_ peer: Int32, now: MediaInstant) {
    guard !peers[peer].isLost else { return }
    peers[peer].isLost = true
    events.append(.peerLost(client: peers[peer].client))
    for egress in peers[peer].egresses { refresh(egress, now: now) }
  }

  /// Watches the deadline of a stream, if it has one: what it wants by then is asked for in time.
  mutating func watch(_ stream: Int32) {
    guard let deadline = streams[stream].deadline(configuration), peers[streams[stream].publisher].isConnected else {
      return
    }
    look(at: stream, deadline)
  }

  private mutating func look(at stream: Int32, _ time: MediaInstant) {
    if let earlier = streams[stream].timerTime, earlier <= time { return }
    streams[stream].timerTime = time
    streamTimers.add(stream, at: time)
  }

  /// A publisher that cannot be asked at once, since other things go out to it first, is looked at again after this.
  private static var askingPatience: MediaDuration { .milliseconds(5) }

  /// Queues the publishers of whom something is wanted now.
  mutating func queueDueStreams(now: MediaInstant) {
    while let (time, stream) = streamTimers.takeDue(now: now).map({ ($0.time, $0.stream) }) {
      guard streams.contains(stream), streams[stream].timerTime == time else { continue }
      streams[stream].timerTime = nil
      let publisher = streams[stream].publisher
      guard let deadline = streams[stream].deadline(configuration), peers[publisher].isConnected else { continue }
      if deadline <= now { enqueueControl(publisher) }
      look(at: stream, deadline <= now ? now + Self.askingPatience : deadline)
    }
  }

  /// Has `peer` visited by the drain, which then looks for reports, requests and feedback to write.
  mutating func enqueueControl(_ peer: Int32) {
    peers[peer].hasControl = true
    enqueue(peer)
  }

  /// Has `peer` visited by the drain.
  mutating func enqueue(_ peer: Int32) {
    guard !peers[peer].isQueued else { return }
    peers[peer].isQueued = true
    queue.append(peer)
  }
}
