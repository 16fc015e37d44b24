import ControlWire
import EngineCore
import MediaBase
import PeerTransport
import RTPSession

extension CoreBench {
  /// A datagram has come to the server's port.
  func receiveAtServer(_ datagram: UnsafeMutableRawBufferPointer) {
    guard server != nil, let result = server?.transport.receive(datagram, from: Self.clientAddress, now: now) else {
      return
    }
    switch result {
    case .rtp(let length):
      server?.session.receiveRTP(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(datagram).prefix(length)), now: now)
    case .rtcp(let length):
      server?.session.receiveRTCP(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(datagram).prefix(length)), now: now)
    case .consumed, .dropped: break
    }
  }

  /// Takes events and datagrams of the server's side.
  func drainServer() {
    while server?.transport.pollEvent() != nil {}
    while let event = server?.session.pollEvent() {
      switch event {
      case .videoFrame(_, let frame): server?.receivedFrames.append(frame)
      case .audioPacket(_, let packet):
        server?.receivedAudioCount += 1
        server?.lastAudio = packet.payload
      case .keyFrameRequested(let ssrc): server?.keyFrameRequests.append(ssrc)
      case .goodbye, .firstPacket: break
      }
    }
    while let datagram = server?.pollTransmit() ?? nil { put(datagram, toServer: false) }
  }

  /// Sends `frames` pictures of user `uid` from the server, 33 ms apart; the first one is a key frame.
  func stream(from uid: UInt, frames: Int, keyFramesOnRequest: Bool = false) {
    let ssrc = Self.ssrcs(uid).video
    for index in 0..<frames {
      let requested = keyFramesOnRequest && keyFrameRequests.contains(ssrc)
      server?.keyFrameRequests.removeAll { $0 == ssrc }
      sendFromServer(Self.picture(keyFrame: index == 0 || requested, time: now), ssrc: ssrc)
      run(for: .milliseconds(33))
    }
  }

  func sendFromServer(_ frame: EncodedVideoFrame, ssrc: UInt32) {
    server?.session.send(video: frame, ssrc: ssrc, now: now)
    drainServer()
  }

  /// Sends sound of user `uid` from the server, 20 ms a packet.
  func speak(from uid: UInt, packets: Int) {
    for index in 0..<packets {
      let frame = EncodedAudioFrame(
        data: [0x78, 1, 2, 3], timestamp: UInt32(index) * 960, sampleCount: 960, startsTalkSpurt: index == 0)
      server?.session.send(audio: frame, level: 30, ssrc: Self.ssrcs(uid).audio, now: now)
      drainServer()
      run(for: .milliseconds(20))
    }
  }

  /// Hands a picture to the core as its encoder would.
  func publish(keyFrame: Bool) {
    let frame = Self.picture(keyFrame: keyFrame, time: now)
    act { $0.sendVideo(frame, now: $1) }
    run(for: .milliseconds(1))
  }

  func publishAudio() {
    act {
      $0.sendAudio(EncodedAudioFrame(data: [0x78, 1], timestamp: 0, sampleCount: 960), level: 20, now: $1)
    }
  }

  func requestKeyFrameFromServer() {
    let ssrc = Self.ownSSRCs.video
    let now = now
    server?.session.requestKeyFrame(ssrc: ssrc, now: now)
    drainServer()
  }

  /// A VP8 frame as far as packets care: the tag says key frame or not (RFC 6386 section 9.1), the rest is filler.
  static func picture(keyFrame: Bool, time: MediaInstant) -> EncodedVideoFrame {
    var data = [UInt8](repeating: 0x55, count: keyFrame ? 6_000 : 1_500)
    if keyFrame {
      data.replaceSubrange(0..<10, with: [0x50, 0x42, 0x00, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01])
    } else {
      data.replaceSubrange(0..<3, with: [0x51, 0x42, 0x00])
    }
    return EncodedVideoFrame(
      data: data, isKeyFrame: keyFrame, timestamp: UInt32(truncatingIfNeeded: time.nanoseconds / 11_111), width: 640,
      height: 360)
  }

  /// The pictures of a user that came out of the core.
  func frames(of uid: UInt) -> [EncodedVideoFrame] {
    events.compactMap { if case .videoFrame(uid, let frame) = $0 { frame } else { nil } }
  }

  var keyFrameRequests: [UInt32] {
    switch server {
    case .some(let server): server.keyFrameRequests
    case .none: []
    }
  }

  var receivedByServer: [EncodedVideoFrame] {
    switch server {
    case .some(let server): server.receivedFrames
    case .none: []
    }
  }

  var audioReceivedByServer: Int {
    switch server {
    case .some(let server): server.receivedAudioCount
    case .none: 0
    }
  }

  /// Whether a key frame has been asked for since the last call.
  func takesKeyFrameRequest() -> Bool {
    let count = transcript(events).count { $0 == "key frame needed" }
    defer { answeredKeyFrames = count }
    return count > answeredKeyFrames
  }
}

extension CoreBench.ServerSide {
  /// The next datagram of the server's side, encrypted.
  mutating func pollTransmit() -> [UInt8]? {
    var hasDatagram = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 1_600) { buffer, count in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      var span = OutputRawSpan(buffer: memory, initializedCount: 0)
      if transport.pollTransmit(into: &span) != nil {
        hasDatagram = true
        count = span.finalize(for: memory)
        return
      }
      let kind = transport.selectedRemoteAddress == nil ? nil : session.pollTransmit(into: &span)
      let length = span.finalize(for: memory)
      let protected: Int? =
        switch kind {
        case .rtp: transport.protectRTP(memory, length: length)
        case .rtcp: transport.protectRTCP(memory, length: length)
        case nil: nil
        }
      hasDatagram = protected != nil
      count = protected ?? 0
    }
    return hasDatagram ? bytes : nil
  }
}
