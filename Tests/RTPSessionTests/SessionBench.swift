import MediaBase
import RTPWire
import Testing

@testable import RTPSession

/// Two sessions with a network between them, on a virtual clock.
final class SessionBench {
  static let audioSSRC: UInt32 = 10
  static let videoSSRC: UInt32 = 20
  static let rtxSSRC: UInt32 = 21

  var sender: RTPSession
  var receiver: RTPSession
  var forward: SimulatedLink
  var backward: SimulatedLink
  var encoder: FakeEncoder
  var now = MediaInstant(nanoseconds: 5_000_000_000)
  /// Pictures as they came out of the receiver.
  var frames: [(time: MediaInstant, frame: EncodedVideoFrame)] = []
  var audioPackets: [ReceivedAudioPacket] = []
  var firstPackets: [UInt32] = []
  var goodbyes: [UInt32] = []
  var keyFrameRequestTimes: [MediaInstant] = []
  var keyFrameRequests: Int { keyFrameRequestTimes.count }
  /// The datagrams of both directions.
  var sentByReceiver: [[UInt8]] = []
  var sentBySender: [(kind: RTPTransmitKind, bytes: [UInt8])] = []
  var recordsSender = false

  init(seed: UInt64, adds: Bool = true, probes: Bool = false) {
    sender = RTPSession(configuration: RTPSessionConfiguration(cname: "sender", rtcpSSRC: Self.audioSSRC), now: now)
    receiver = RTPSession(configuration: RTPSessionConfiguration(cname: "receiver", rtcpSSRC: 99), now: now)
    forward = SimulatedLink(seed: seed &* 3 &+ 1)
    backward = SimulatedLink(seed: seed &* 3 &+ 2)
    encoder = FakeEncoder(seed: seed &* 3 &+ 3)
    guard adds else { return }
    sender.addSendStream(kind: .video, ssrc: Self.videoSSRC, rtxSSRC: Self.rtxSSRC)
    sender.addSendStream(kind: .audio, ssrc: Self.audioSSRC, rtxSSRC: nil)
    if probes { sender.startProbing(now: now) }
    receiver.addReceiveStream(kind: .video, ssrc: Self.videoSSRC, rtxSSRC: Self.rtxSSRC)
    receiver.addReceiveStream(kind: .audio, ssrc: Self.audioSSRC, rtxSSRC: nil)
  }

  /// Sends pictures at 30 a second, a key frame whenever one is asked for.
  func stream(pictures: Int) {
    for _ in 0..<pictures {
      let frame = encoder.next(time: now)
      sender.send(video: frame, ssrc: Self.videoSSRC, now: now)
      drain()
      run(for: .microseconds(33_333))
    }
  }

  func run(for duration: MediaDuration) {
    let end = now + duration
    while true {
      var next = MediaInstant.earliest(forward.nextTime, backward.nextTime)
      next = .earliest(next, .earliest(sender.nextTimeout, receiver.nextTimeout))
      guard let next, next <= end else { break }
      now = max(now, next)
      sender.handleTimeout(now: now)
      receiver.handleTimeout(now: now)
      for (kind, bytes) in forward.take(now: now) { Self.give(bytes, kind, to: &receiver, now: now) }
      for (kind, bytes) in backward.take(now: now) { Self.give(bytes, kind, to: &sender, now: now) }
      drain()
    }
    now = end
  }

  static func give(_ bytes: [UInt8], _ kind: RTPTransmitKind, to session: inout RTPSession, now: MediaInstant) {
    switch kind {
    case .rtp: session.receiveRTP(bytes.span.bytes, now: now)
    case .rtcp: session.receiveRTCP(bytes.span.bytes, now: now)
    }
  }

  static func transmit(_ session: inout RTPSession) -> (kind: RTPTransmitKind, bytes: [UInt8])? {
    var kind: RTPTransmitKind?
    let bytes = [UInt8](capacity: 1_200) { kind = session.pollTransmit(into: &$0) }
    return kind.map { ($0, bytes) }
  }

  func drain() {
    while let (kind, bytes) = Self.transmit(&sender) {
      if recordsSender { sentBySender.append((kind, bytes)) }
      forward.put(bytes, kind, now: now)
    }
    while let (kind, bytes) = Self.transmit(&receiver) {
      sentByReceiver.append(bytes)
      backward.put(bytes, kind, now: now)
    }
    while let event = sender.pollEvent() {
      guard case .keyFrameRequested = event else { continue }
      keyFrameRequestTimes.append(now)
      encoder.wantsKeyFrame = true
    }
    while let event = receiver.pollEvent() {
      switch event {
      case .videoFrame(_, let frame): frames.append((now, frame))
      case .audioPacket(_, let packet): audioPackets.append(packet)
      case .firstPacket(let ssrc): firstPackets.append(ssrc)
      case .goodbye(let ssrc): goodbyes.append(ssrc)
      case .keyFrameRequested: break
      }
    }
  }

  /// Holds the frames that came out against those that went in: each is whole, in order, and refers only to frames that
  /// came out since the last key frame.
  func checkDecodability(sourceLocation: SourceLocation = #_sourceLocation) {
    var decoded: Set<UInt32> = []
    var last: UInt32?
    for (_, frame) in frames {
      let number = FakeEncoder.number(frame)
      let original = encoder.pictures[Int(number)]
      #expect(frame.data == original.data, sourceLocation: sourceLocation)
      #expect(frame.isKeyFrame == original.isKeyFrame, sourceLocation: sourceLocation)
      #expect(frame.timestamp == original.timestamp, sourceLocation: sourceLocation)
      #expect(last.map { number > $0 } ?? frame.isKeyFrame, sourceLocation: sourceLocation)
      if frame.isKeyFrame {
        #expect(frame.width == 640 && frame.height == 360, sourceLocation: sourceLocation)
        decoded.removeAll()
      }
      #expect(decoded.isSuperset(of: FakeEncoder.references(frame)), sourceLocation: sourceLocation)
      decoded.insert(number)
      last = number
    }
  }

  /// The longest time without a picture, from the first one on.
  var longestFreeze: MediaDuration {
    zip(frames, frames.dropFirst()).map { $1.time - $0.time }.max() ?? .zero
  }

  var receiveStatistics: ReceiveStatistics { receiver.receiveStatistics(ssrc: Self.videoSSRC) ?? ReceiveStatistics() }
  var sendStatistics: SendStatistics { sender.sendStatistics(ssrc: Self.videoSSRC) ?? SendStatistics() }
}
