import ForwardingCore
import MediaBase
import RTPWire
import Testing

@Suite("Redundant audio")
struct RedundantAudioTests {
  private static func format(red: UInt8?, opus: UInt8 = 111) -> ForwardedFormat {
    var format = ForwardedFormat(opusPayloadType: opus)
    format.redPayloadType = red
    return format
  }

  /// A publisher with payload type 63; 2 knows the format under other numbers, 3 does not know it.
  private func room() -> (TestRoom, TestPeer, knowing: TestPeer, plain: TestPeer) {
    let room = TestRoom()
    let publisher = room.join(1, publishes: bothForwarded, format: Self.format(red: 63))
    let knowing = room.join(2, format: Self.format(red: 120, opus: 109))
    let plain = room.join(3)
    for subscriber in [knowing, plain] { room.route(from: 1, to: subscriber.id) }
    room.run(milliseconds: 20)
    return (room, publisher, knowing, plain)
  }

  private func sound(_ number: UInt8, count: Int = 60) -> [UInt8] { [UInt8](repeating: number, count: count) }

  @Test("whoever knows the format gets it under its own numbers, others get the packet's own encoding")
  func formats() {
    let (room, publisher, knowing, plain) = room()
    publisher.outgoing = [
      publisher.redundantAudio([sound(1)]), publisher.redundantAudio([sound(1), sound(2)]),
      publisher.redundantAudio([sound(1), sound(2), sound(3, count: 300)]),
    ]
    room.turn()
    let plainly = plain.seen(audio)
    #expect(plainly.map(\.payload) == [sound(1), sound(2), sound(3, count: 300)])
    #expect(plainly.allSatisfy { $0.header.payloadType == 111 && $0.audioLevel == 30 | 0x80 })
    check(isContinuous(plainly))
    let redundant = knowing.seen(audio)
    #expect(redundant.map(\.header.payloadType) == [120, 120, 120])
    #expect(redundant.first?.payload == [109] + sound(1))
    #expect(
      redundant.last?.payload
        == [109 | 0x80, 0x1E, 0x00, 60, 109 | 0x80, 0x0F, 0x00, 60, 109] + sound(1) + sound(2) + sound(3, count: 300))
    #expect(plain.rejectedCount == 0 && knowing.rejectedCount == 0)
  }

  @Test("lost packets that a later one repeats are filled in, in order, with their time")
  func recovery() {
    let (room, publisher, knowing, plain) = room()
    let packets = [
      publisher.redundantAudio([sound(1)]), publisher.redundantAudio([sound(1), sound(2)]),
      publisher.redundantAudio([sound(1), sound(2), sound(3)]),
      publisher.redundantAudio([sound(2), sound(3), sound(4)]),
    ]
    publisher.outgoing = [packets[0], packets[3]]
    room.turn()
    for subscriber in [plain, knowing] {
      let seen = subscriber.seen(audio)
      check(isContinuous(seen))
      #expect(seen.count == 4)
      guard let first = seen.first else { continue }
      #expect(seen.map { $0.header.timestamp &- first.header.timestamp } == [0, 960, 1_920, 2_880])
    }
    #expect(plain.seen(audio).map(\.payload) == [sound(1), sound(2), sound(3), sound(4)])
    // What was lost comes to those who know the format as it is, without anything before it.
    #expect(knowing.seen(audio).map(\.header.payloadType) == [120, 109, 109, 120])
    // Late, they are nothing new.
    publisher.outgoing = [packets[1], packets[2]]
    room.turn()
    #expect(plain.seen(audio).count == 4 && room.core.statistics.droppedDuplicate == 2)
  }

  @Test("the publisher's loss is reported although it was made good")
  func report() throws {
    let (room, publisher, _, plain) = room()
    for number in UInt8(0)..<100 {
      let packet = publisher.redundantAudio([sound(number), sound(number &+ 1)])
      publisher.outgoing = number % 4 == 1 ? [] : [packet]
      room.run(milliseconds: 20)
    }
    #expect(plain.seen(audio).count >= 99)
    let losses = publisher.reports.flatMap(\.blocks).map { Double($0.fractionLost) / 256 }
    #expect(try #require(losses.max()) > 0.2)
  }

  @Test("what is not Opus inside, or broken, does no harm and is left out")
  func oddities() {
    let (room, publisher, knowing, plain) = room()
    // Comfort noise repeated beside Opus: only the packet's own encoding goes on.
    var mixed: [UInt8] = [13 | 0x80, 0x0F, 0x00, 2, 111, 9, 9]
    mixed += sound(5)
    let header = RTPHeader(
      payloadType: 63, sequenceNumber: publisher.audioSequenceNumber, timestamp: 77, ssrc: publisher.ssrcs.audio)
    publisher.audioSequenceNumber &+= 1
    publisher.outgoing = [publisher.sealed(header, payload: mixed)]
    room.turn()
    #expect(plain.seen(audio).map(\.payload) == [sound(5)])
    #expect(knowing.seen(audio).map(\.payload) == [sound(5)] && knowing.seen(audio).first?.header.payloadType == 109)
    let broken: [[UInt8]] = [[], [0xEF], [0xEF, 0x0F, 0x03, 0xFF, 0x6F], [0x0D], [0x0D, 1, 2]]
    for payload in broken {
      let header = RTPHeader(
        payloadType: 63, sequenceNumber: publisher.audioSequenceNumber, timestamp: 99, ssrc: publisher.ssrcs.audio)
      publisher.audioSequenceNumber &+= 1
      publisher.outgoing.append(publisher.sealed(header, payload: payload))
    }
    room.turn()
    #expect(plain.seen(audio).count == 1 && room.core.statistics.droppedInvalid == UInt64(broken.count))
  }

  @Test("a publisher that has not agreed to the format cannot send it")
  func notAgreed() {
    let room = TestRoom()
    let publisher = room.join(1, publishes: bothForwarded)
    let subscriber = room.join(2, format: Self.format(red: 63))
    room.route(from: 1, to: 2)
    room.run(milliseconds: 20)
    publisher.outgoing = [publisher.redundantAudio([sound(1), sound(2)])]
    publisher.sendAudio()
    room.turn()
    #expect(subscriber.seen(audio).map(\.header.payloadType) == [111])
  }
}
