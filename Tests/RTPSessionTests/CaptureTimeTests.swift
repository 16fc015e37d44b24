import MediaBase
import RTPWire
import Testing

@testable import RTPSession

/// When pictures were captured, and how long they take.
@Suite("Capture times") struct CaptureTimeTests {
  /// A key frame of VP8 as far as receivers look at it (RFC 6386 section 9.1).
  private static let keyFrame: [UInt8] =
    [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xB4, 0x00] + [UInt8](repeating: 0, count: 490)
  private let wall = MediaDuration.seconds(3_900_000_000 as Int64)

  private func session(offset: MediaDuration) -> RTPSession {
    var configuration = RTPSessionConfiguration(cname: "a", rtcpSSRC: 9)
    configuration.parameters.captureTimeExtension = 4
    configuration.wallClockOffset = offset
    var session = RTPSession(configuration: configuration, now: .zero)
    session.addSendStream(kind: .video, ssrc: 7, rtxSSRC: nil)
    session.addReceiveStream(kind: .video, ssrc: 7, rtxSSRC: nil)
    return session
  }

  private func packets(_ session: inout RTPSession) -> [(kind: RTPTransmitKind, bytes: [UInt8])] {
    var result: [(kind: RTPTransmitKind, bytes: [UInt8])] = []
    while true {
      var kind: RTPTransmitKind?
      let bytes = [UInt8](capacity: 1_500) { output in kind = session.pollTransmit(into: &output) }
      guard let kind else { return result }
      result.append((kind, bytes))
    }
  }

  private func capture(of packet: [UInt8]) throws -> UInt64? {
    let layout = try RTPPacketLayout(parsing: packet.span.bytes)
    return layout.headerExtension(id: 4, in: packet.span.bytes).map { packet.span.bytes.uint64(at: $0.lowerBound) }
  }

  @Test func `once a second a picture's first packet tells when it was captured, and no packet gets too long`() throws {
    var sender = session(offset: wall)
    var told: [MediaInstant] = []
    for number in 0..<60 as Range<Int64> {
      let now = MediaInstant.zero + .milliseconds(1_000 + 50 * number)
      let captured = now - .milliseconds(8)
      sender.send(
        video: EncodedVideoFrame(
          data: [UInt8](repeating: 1, count: 5_000), isKeyFrame: number == 0, timestamp: UInt32(number * 4_500),
          captureTime: captured), ssrc: 7, now: now)
      let media = packets(&sender).filter { $0.kind == .rtp }
      #expect(media.allSatisfy { $0.bytes.count <= 1_200 })
      for (place, packet) in media.enumerated() {
        guard let time = try capture(of: packet.bytes) else { continue }
        #expect(place == 0 && time == NTPTime.timestamp(captured + wall))
        told.append(now)
      }
    }
    #expect(told.count == 3 && zip(told, told.dropFirst()).allSatisfy { $1 - $0 == .seconds(1 as Int64) })
  }

  @Test(arguments: [false, true])
  func `a receiver knows how long pictures take, whatever its own clock began with`(hasReports: Bool) throws {
    // The receiver's monotonic clock is a minute ahead; the wall clocks agree.
    let minute = MediaDuration.seconds(60 as Int64)
    var sender = session(offset: wall)
    var receiver = session(offset: wall - minute)
    #expect(receiver.receiveStatistics(ssrc: 7)?.endToEndDelay == nil)
    for number in 0..<100 as Range<Int64> {
      let now = MediaInstant.zero + .milliseconds(1_000 + 33 * number)
      sender.send(
        video: EncodedVideoFrame(
          data: Self.keyFrame, isKeyFrame: true, timestamp: UInt32(number * 2_970),
          captureTime: now - .milliseconds(5)), ssrc: 7, now: now)
      sender.handleTimeout(now: now)
      for packet in packets(&sender) {
        let arrival = now + .milliseconds(40) + minute
        if packet.kind == .rtcp {
          if hasReports { receiver.receiveRTCP(packet.bytes.span.bytes, now: arrival) }
        } else {
          receiver.receiveRTP(packet.bytes.span.bytes, now: arrival)
        }
      }
    }
    let delay = try #require(receiver.receiveStatistics(ssrc: 7)?.endToEndDelay)
    #expect(delay >= .milliseconds(44) && delay <= .milliseconds(46))
  }

  @Test func `of sound too it is known how long it takes, from its first sample and from when it could be sent`() throws
  {
    var configuration = RTPSessionConfiguration(cname: "a", rtcpSSRC: 9)
    // The receiver's clock is an hour late: no delay can be told, but how this stream compares with others can.
    for lateness in [MediaDuration.zero, .seconds(3_600 as Int64)] {
      configuration.wallClockOffset = wall
      var sender = RTPSession(configuration: configuration, now: .zero)
      sender.addSendStream(kind: .audio, ssrc: 8, rtxSSRC: nil)
      configuration.wallClockOffset = wall - lateness
      var receiver = RTPSession(configuration: configuration, now: .zero)
      receiver.addReceiveStream(kind: .audio, ssrc: 8, rtxSSRC: nil)
      for number in 0..<200 as Range<Int64> {
        let now = MediaInstant.zero + .milliseconds(1_000 + 20 * number)
        sender.send(
          audio: EncodedAudioFrame(data: [0x78, 1], timestamp: UInt32(number * 960), sampleCount: 960), level: nil,
          ssrc: 8, now: now)
        sender.handleTimeout(now: now)
        for packet in packets(&sender) {
          let arrival = now + .milliseconds(40)
          if packet.kind == .rtcp {
            receiver.receiveRTCP(packet.bytes.span.bytes, now: arrival)
          } else {
            receiver.receiveRTP(packet.bytes.span.bytes, now: arrival)
          }
        }
      }
      let received = receiver.receiveStatistics(ssrc: 8)
      let counts = try #require(received)
      func isNear(_ value: MediaDuration?, _ milliseconds: Int64) -> Bool {
        value.map { abs(($0 - .milliseconds(milliseconds)).nanoseconds) < 1_000_000 } ?? false
      }
      if lateness == .zero {
        #expect(isNear(counts.endToEndDelay, 60) && isNear(counts.networkDelay, 40))
      } else {
        #expect(counts.endToEndDelay == nil && counts.networkDelay == nil)
      }
      #expect(isNear(counts.transit.map { $0 + lateness }, 60))
    }
  }

  @Test func `clocks that disagree give no delay`() {
    for difference in [-1.0, -100, 100, 1e9] {
      var clock = CaptureClock(clockRate: 90_000)
      clock.told(NTPTime.timestamp(.zero + wall), of: 5)
      clock.completed(5, wallTime: .zero + wall + .seconds(difference))
      #expect(clock.delay == nil)
      clock.completed(5, wallTime: .zero + wall + .milliseconds(30))
      #expect(clock.delay.map { abs(($0 - .milliseconds(30)).nanoseconds) < 1_000 } == true)
    }
    for ntp in [1, UInt64.max, 1 << 63] {
      var clock = CaptureClock(clockRate: 90_000)
      clock.told(ntp, of: UInt32.max)
      clock.completed(0x7FFF_FFFF, wallTime: .zero + wall)
      #expect(clock.delay == nil)
    }
  }
}
