import ControlWire
import ICEAgent
import MediaBase
import PeerTransport
import RTPSession
import SecureChannel

extension ConnectionCore {
  /// A datagram of this connection's UDP socket; its bytes are overwritten.
  public mutating func receive(
    datagram: UnsafeMutableRawBufferPointer, from source: TransportAddress, now: MediaInstant
  ) {
    guard path != nil else { return }
    statistics.receivedPackets += 1
    statistics.receivedBytes += datagram.count
    if path?.receive(datagram, from: source, now: now) == true { heardServer(now: now) }
    drainPath(now: now)
  }

  /// Makes transport and session from the server's answer; false if the answer cannot be used.
  mutating func openPath(_ joined: JoinedResponse, now: MediaInstant) -> Bool {
    let candidates = joined.candidates.filter(\.isUDP).compactMap { TransportAddress(host: $0.host, port: $0.port) }
    guard let outgoingKey = SRTPKeyMaterial(hexadecimal: joined.srtp.clientKey),
      let incomingKey = SRTPKeyMaterial(hexadecimal: joined.srtp.serverKey), !candidates.isEmpty
    else { return false }
    let transport = PeerTransport(
      configuration: PeerTransportConfiguration(
        role: .controlling, localCredentials: localICE,
        remoteCredentials: ICECredentials(
          usernameFragment: joined.ice.usernameFragment, password: joined.ice.password),
        remoteCandidates: candidates, outgoingKey: outgoingKey, incomingKey: incomingKey, seed: random.next(),
        timing: ICETiming(consentInterval: configuration.timing.interrupted / 4)),
      crypto: crypto, now: now)
    var sessionConfiguration = RTPSessionConfiguration(
      cname: String(random.next(), radix: 36), rtcpSSRC: joined.ssrcs.audio,
      parameters: RTPSessionParameters(joined.rtp))
    sessionConfiguration.wallClockOffset = configuration.wallClockOffset
    var session = RTPSession(configuration: sessionConfiguration, now: now)
    session.addSendStream(kind: .audio, ssrc: joined.ssrcs.audio, rtxSSRC: nil)
    session.addSendStream(kind: .video, ssrc: joined.ssrcs.video, rtxSSRC: joined.ssrcs.videoRTX)
    let low = configuration.wantsLowVideo ? joined.videoLayers?.first { $0.video != joined.ssrcs.video } : nil
    if let low { session.addSendStream(kind: .video, ssrc: low.video, rtxSSRC: low.videoRTX) }
    for uid in users.keys { keepPacketCounts(of: uid, audio: true, video: true) }
    keepPathCounts()
    path = MediaPath(
      transport: transport, session: session, audioSSRC: joined.ssrcs.audio, videoSSRC: joined.ssrcs.video,
      lowVideoSSRC: low?.video)
    isMediaOpen = false
    publishing = .none
    streams.removeAll(keepingCapacity: true)
    mediaDeadline = now + configuration.timing.mediaTimeout
    return true
  }

  /// Takes what transport and session report.
  mutating func drainPath(now: MediaInstant) {
    while let event = path?.transport.pollEvent() {
      switch event {
      case .connected: mediaOpened(now: now)
      case .addressChanged: break
      case .disconnected:
        guard case .joined = phase else { break }
        commands.append(.close)
        warn(.connectionUnrecoverable, "Nothing comes from the server any more; the connection is made anew.")
        breakOff("The server no longer answers.", now: now)
      }
    }
    while let event = path?.session.pollEvent() { handle(event, now: now) }
  }

  /// When transport or session want to be called.
  var mediaTimeout: MediaInstant? {
    switch path {
    case .some(let path): .earliest(path.transport.nextTimeout, path.session.nextTimeout)
    case .none: nil
    }
  }

  private mutating func mediaOpened(now: MediaInstant) {
    isMediaOpen = true
    lastReception = now
    mediaDeadline = nil
    statistics.timeToMedia = statistics.timeToMedia ?? now - startTime
    if publishing.video { beginVideo() }
    probePath(now: now)
    refreshPublishStates(now: now)
    requestMissingKeyFrames(now: now)
  }

  private mutating func handle(_ event: RTPSessionEvent, now: MediaInstant) {
    switch event {
    case .firstPacket(let ssrc): received(ssrc, now: now) { $0.receivedPacket() }
    case .videoFrame(let ssrc, let frame): receivedVideo(frame, ssrc: ssrc, now: now)
    case .audioPacket(let ssrc, let packet): receivedAudio(packet, ssrc: ssrc, now: now)
    case .keyFrameRequested(let ssrc):
      guard publishing.video else { return }
      statistics.keyFrameRequests += 1
      events.append(ssrc == path?.videoSSRC ? .keyFrameNeeded : .lowKeyFrameNeeded)
    case .goodbye: break
    }
  }
}

extension MediaPath {
  /// Whether the datagram was a good one.
  mutating func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from source: TransportAddress, now: MediaInstant
  ) -> Bool {
    switch transport.receive(datagram, from: source, now: now) {
    case .dropped: return false
    case .consumed: break
    case .rtp(let length):
      session.receiveRTP(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(datagram).prefix(length)), now: now)
    case .rtcp(let length):
      session.receiveRTCP(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(datagram).prefix(length)), now: now)
    }
    return true
  }
}
