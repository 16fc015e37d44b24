import ForwardingCore
import MediaBase
import RTPWire
import Testing

@Suite struct FeedbackTests {
  @Test func aSubscriberGetsLostPacketsAgainAsRTX() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    for number in 0..<10 { publisher.sendPicture(isKey: number == 0) }
    room.turn()
    let lost = [others[0].seen(video)[4], others[0].seen(video)[5], others[0].seen(video)[29]]
    others[0].sendNACK(video, lost.map(\.header.sequenceNumber))
    room.turn()
    let again = others[0].seen(videoRTX)
    #expect(again.count == 3)
    for (packet, original) in zip(again, lost) {
      let number = original.header.sequenceNumber
      #expect(packet.header.payloadType == 97)
      #expect(packet.payload.prefix(2) == [UInt8(number >> 8), UInt8(number & 0xFF)])
      #expect(packet.payload.dropFirst(2) == original.payload[...])
      #expect(packet.header.timestamp == original.header.timestamp)
      #expect(packet.header.marker == original.header.marker)
    }
    #expect(again[1].header.sequenceNumber == again[0].header.sequenceNumber &+ 1)
    #expect(others[1].seen(videoRTX).isEmpty)
    #expect(others[0].rejectedCount == 0)
  }

  @Test func theMiddleOfAFirstKeyFrameIsAskedForIfItsEndOvertakesItsStart() {
    let (room, publisher, others) = connectedRoom()
    let packets = publisher.picture(isKey: true)
    publisher.outgoing += [packets[2], packets[0]]
    room.run(milliseconds: 50)
    #expect(publisher.requested == [publisher.videoSequenceNumber &- 2])
    publisher.outgoing.append(packets[1])
    room.turn()
    #expect(others[0].seen(video).count == 3)
  }

  @Test func nothingOfThePastIsSentAgainAfterUnpublishing() {
    let (room, publisher, others) = connectedRoom()
    for number in 0..<10 { publisher.sendPicture(isKey: number == 0) }
    room.turn()
    let old = others[0].seen(video)[4].header.sequenceNumber
    others[0].sendNACK(video, [old])
    room.upload()
    room.publish(1, .none)
    room.download()
    others[0].sendNACK(video, [old])
    room.turn()
    room.publish(1, bothForwarded)
    publisher.sendPicture(isKey: true)
    room.turn()
    others[0].sendNACK(video, [old, 12_345])
    room.turn()
    #expect(others[0].seen(videoRTX).isEmpty)
  }

  @Test func requestsCannotMakeMoreTrafficThanTheMediaTheyAreFor() {
    let (room, publisher, others) = connectedRoom()
    for number in 0..<10 { publisher.sendPicture(isKey: number == 0) }
    room.turn()
    let numbers = others[0].seen(video).map(\.header.sequenceNumber)
    for _ in 0..<100 {
      others[0].sendNACK(video, numbers)
      room.turn()
    }
    #expect(others[0].seen(videoRTX).count <= 128 + 30)
  }

  @Test func aPacketMissingFromThePublisherIsAskedForAndFindsItsPlace() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    publisher.sendPicture(isKey: true)
    room.turn()
    let number = publisher.videoSequenceNumber
    let picture = publisher.picture(isKey: false, packetCount: 4)
    publisher.outgoing += [picture[0], picture[2], picture[3]]
    room.turn()
    #expect(publisher.requested.isEmpty)
    room.run(milliseconds: 6)
    #expect(publisher.requested == [number &+ 1])
    let descriptor = VP8PayloadDescriptor(
      startsPartition: false, pictureID: publisher.pictureID, tl0PicIdx: publisher.tl0PicIdx, temporalID: 0)
    let payload = written { _ = descriptor.write(into: &$0) } + [1, 2, 3]
    publisher.sendRTX(of: number &+ 1, timestamp: publisher.videoTimestamp, payload: payload)
    room.turn()
    for other in others {
      let sorted = other.seen(video).sorted {
        Int16(bitPattern: $0.header.sequenceNumber &- $1.header.sequenceNumber) < 0
      }
      #expect(sorted.count == 7)
      check(isContinuous(sorted))
      #expect(sorted[4].body == [1, 2, 3])
    }
    room.run(milliseconds: 500)
    #expect(publisher.requested.count == 1)
    #expect(room.core.statistics.recoveredPackets == 1)
    // The same packet again is a duplicate.
    publisher.sendRTX(of: number &+ 1, timestamp: publisher.videoTimestamp, payload: payload)
    room.turn()
    #expect(others[0].seen(video).count == 7)
  }

  @Test func reorderedPacketsAreNotAskedFor() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    let picture = publisher.picture(isKey: false, packetCount: 4)
    publisher.outgoing += [picture[0], picture[3], picture[2]]
    room.turn()
    room.run(milliseconds: 3)
    publisher.outgoing.append(picture[1])
    room.run(milliseconds: 20)
    #expect(publisher.requested.isEmpty)
    #expect(others[0].seen(video).count == 7)
  }

  @Test func askingEndsAfterSomeTriesAndWithTheNextKeyFrame() {
    let (room, publisher, _) = connectedRoom()
    publisher.sendPicture(isKey: true)
    _ = publisher.picture(isKey: false, packetCount: 1)
    publisher.sendPicture(isKey: false)
    room.turn()
    room.run(milliseconds: 5_000)
    #expect((5...10).contains(publisher.requested.count))
    publisher.requested = []
    _ = publisher.picture(isKey: false, packetCount: 1)
    publisher.sendPicture(isKey: true)
    room.turn()
    room.run(milliseconds: 1_000)
    #expect(publisher.requested.isEmpty)
  }

  @Test func aHugeGapAsksForAKeyFrameInsteadOfPackets() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    room.run(milliseconds: 400)
    let requests = publisher.keyFrameRequestCount
    for _ in 0..<300 { _ = publisher.picture(isKey: false) }
    publisher.sendPicture(isKey: false)
    room.turn()
    room.run(milliseconds: 100)
    #expect(publisher.requested.isEmpty)
    #expect(publisher.keyFrameRequestCount == requests + 1)
    #expect(others[0].seen(video).count == 6)
  }

  @Test func lossIndicationsOfManySubscribersBecomeOne() {
    let (room, publisher, others) = connectedRoom(subscribers: 10)
    publisher.sendPicture(isKey: true)
    room.turn()
    room.run(milliseconds: 1_000)
    let requests = publisher.keyFrameRequestCount
    for other in others { other.sendPLI(video) }
    room.turn()
    #expect(publisher.keyFrameRequestCount == requests + 1)
    for other in others {
      other.sendRTCP {
        _ = RTCPFeedback.writeFullIntraRequest(senderSSRC: other.id32, targetSSRC: video, sequenceNumber: 1, into: &$0)
      }
    }
    room.run(milliseconds: 99)
    #expect(publisher.keyFrameRequestCount == requests + 1)
    room.run(milliseconds: 2)
    #expect(publisher.keyFrameRequestCount == requests + 2)
  }

  @Test func aLossIndicationForAnothersStreamHasNoEffect() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    room.run(milliseconds: 1_000)
    let requests = publisher.keyFrameRequestCount
    others[0].sendPLI(publisher.ssrcs.video)
    others[0].sendPLI(videoRTX)
    others[0].sendPLI(audio)
    room.run(milliseconds: 500)
    #expect(publisher.keyFrameRequestCount == requests)
  }

  @Test func everyMemberOfACompoundCountsUpToAMalformedOne() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    room.run(milliseconds: 1_000)
    let requests = publisher.keyFrameRequestCount
    let lost = [others[0].seen(video)[1].header.sequenceNumber]
    others[0].sendRTCP {
      _ = RTCPReport(ssrc: 2).write(into: &$0)
      _ = RTCPSource.writeDescription(ssrc: 2, cname: "someone", into: &$0)
      _ = RTCPFeedback.writeGenericNACK(senderSSRC: 2, mediaSSRC: video, lost: lost.span, into: &$0)
      $0.appendBigEndian(0x8000_FFFF as UInt32)
      _ = RTCPFeedback.writePictureLossIndication(senderSSRC: 2, mediaSSRC: video, into: &$0)
    }
    room.turn()
    #expect(others[0].seen(videoRTX).count == 1)
    #expect(publisher.keyFrameRequestCount == requests)
  }

  @Test func senderReportsKeepThePublishersClocks() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    publisher.sendAudio()
    room.turn()
    room.run(milliseconds: 1_500)
    #expect(!others[0].reports.contains { $0.sender != nil })
    let ntp: UInt64 = 0xE000_0000_0000_0000
    publisher.sendRTCP {
      _ = RTCPReport(
        ssrc: publisher.ssrcs.video,
        sender: .init(ntpTimestamp: ntp, rtpTimestamp: 90_000, packetCount: 3, octetCount: 600)
      ).write(into: &$0)
    }
    room.turn()
    room.run(milliseconds: 1_500)
    let reports = others[0].reports.filter { $0.ssrc == video }
    #expect(!reports.isEmpty)
    for report in reports {
      guard let sender = report.sender else { continue }
      let seconds = Double(sender.ntpTimestamp &- ntp) / 4_294_967_296
      #expect(seconds > 0 && seconds < 1.6)
      // The relation between the clocks is the publisher's own.
      #expect(abs(Double(sender.rtpTimestamp &- 90_000) / 90_000 - seconds) < 0.001)
      #expect(sender.packetCount == 3)
      #expect(sender.octetCount == 600)
    }
  }

  @Test func receiverReportsTellThePublisherItsLosses() throws {
    let (room, publisher, _) = connectedRoom()
    for number in 0..<50 {
      let picture = publisher.picture(isKey: number == 0, packetCount: 2)
      publisher.outgoing += number % 5 == 4 ? [picture[0]] : picture
      room.turn()
    }
    room.run(milliseconds: 1_500)
    let blocks = publisher.reports.flatMap(\.blocks).filter { $0.ssrc == publisher.ssrcs.video }
    let block = try #require(blocks.first)
    // The last packet has not come, so nobody can know that it is missing.
    #expect(block.cumulativeLost == 9)
    #expect(block.fractionLost == UInt8(9 * 256 / 99))
    #expect(block.extendedHighestSequenceNumber == 100 + 98)
  }
}
