import ForwardingCore
import MediaBase
import RTPWire
import Testing

/// Whether sequence numbers go up by one and timestamps and picture ids never go back.
func isContinuous(_ packets: [SeenPacket]) -> Bool {
  zip(packets, packets.dropFirst()).allSatisfy { a, b in
    guard b.header.sequenceNumber == a.header.sequenceNumber &+ 1 else { return false }
    guard Int32(bitPattern: b.header.timestamp &- a.header.timestamp) >= 0 else { return false }
    guard let before = a.descriptor, let after = b.descriptor else { return true }
    guard let old = before.pictureID, let new = after.pictureID, let oldBase = before.tl0PicIdx,
      let newBase = after.tl0PicIdx
    else { return false }
    // One picture after the other, and a new picture exactly where a packet starts one.
    let step: UInt16 = after.startsPartition ? 1 : 0
    return (new &- old) & 0x7FFF == step && newBase &- oldBase == UInt8(step)
  }
}

@Suite struct ForwardingTests {
  @Test func aSubscribersVideoStartsWithAKeyFrame() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: false)
    room.turn()
    #expect(others[0].seen(video).isEmpty)
    publisher.sendPicture(isKey: true)
    publisher.sendPicture(isKey: false)
    room.turn()
    #expect(others[0].seen(video).count == 6)
    check(isContinuous(others[0].seen(video)))
  }

  @Test func aKeyFrameIsAskedForAsSoonAsASubscriberConnects() {
    let room = TestRoom()
    let publisher = room.join(1, publishes: bothForwarded)
    room.run(milliseconds: 5)
    #expect(publisher.keyFrameRequestCount == 0)
    room.join(2)
    room.route(from: 1, to: 2)
    room.turn()
    #expect(publisher.keyFrameRequestCount == 0)
    room.run(milliseconds: 2)
    #expect(publisher.keyFrameRequestCount == 1)
  }

  @Test func theRequestIsRepeatedWhileSomebodyWaitsAndEndsWithTheKeyFrame() {
    let (room, publisher, _) = connectedRoom()
    #expect(publisher.keyFrameRequestCount == 1)
    room.run(milliseconds: 1_000)
    // At 0, 200, 600 and 1,400 ms, then every 1,600 ms.
    #expect(publisher.keyFrameRequestCount == 3)
    for _ in 0..<100 {
      publisher.sendPicture(isKey: false)
      room.run(milliseconds: 100)
    }
    #expect((8...10).contains(publisher.keyFrameRequestCount))
    publisher.sendPicture(isKey: true)
    room.turn()
    let count = publisher.keyFrameRequestCount
    room.run(milliseconds: 1_000)
    #expect(publisher.keyFrameRequestCount == count)
  }

  @Test func whoSendsNothingIsAskedAFewTimesAndAgainWhenSomethingComes() {
    let (room, publisher, _) = connectedRoom()
    room.run(milliseconds: 30_000)
    #expect(publisher.keyFrameRequestCount == 5)
    publisher.sendPicture(isKey: false)
    room.run(milliseconds: 20)
    #expect(publisher.keyFrameRequestCount == 6)
    // Somebody new may be luckier.
    room.run(milliseconds: 30_000)
    let count = publisher.keyFrameRequestCount
    room.join(50)
    room.route(from: 1, to: 50)
    room.run(milliseconds: 20)
    #expect(publisher.keyFrameRequestCount == count + 1)
  }

  @Test func manySubscribersShareOneRequest() {
    let (_, publisher, _) = connectedRoom(subscribers: 20)
    #expect(publisher.keyFrameRequestCount == 1)
  }

  @Test func theContentArrivesUnchanged() throws {
    let (room, publisher, others) = connectedRoom(subscribers: 3)
    room.join(50, publishes: .none)
    for number in 0..<40 {
      publisher.sendPicture(isKey: number % 10 == 0)
      publisher.sendAudio(level: UInt8(number))
      room.turn()
    }
    let first = others[0]
    #expect(first.seen(video).count == 120)
    #expect(first.seen(audio).count == 40)
    for other in others {
      check(isContinuous(other.seen(video)))
      check(isContinuous(other.seen(audio)))
      #expect(other.seen(video).map(\.body) == first.seen(video).map(\.body))
      #expect(other.seen(audio).map(\.audioLevel) == (0..<40).map { UInt8($0) | 0x80 })
      #expect(other.rejectedCount == 0)
      // One transport-wide counter for all that a peer gets.
      let counters = other.seen.compactMap(\.transportSequenceNumber)
      #expect(counters.count == other.seen.count)
      #expect(zip(counters, counters.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    }
    #expect(Set(others.map { $0.seen(video)[0].header.sequenceNumber }).count > 1)
    #expect(first.seen(video).filter(\.header.marker).count == 40)
  }

  @Test func unpublishingStopsWhatHasNotBeenGivenOutYet() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    let before = others[0].seen.count
    publisher.sendPicture(isKey: false)
    publisher.sendAudio()
    room.upload()
    room.publish(1, .none)
    room.download()
    publisher.sendPicture(isKey: true)
    publisher.sendAudio()
    room.turn()
    #expect(others[0].seen.count == before)
    #expect(room.core.statistics.droppedUnpublished == 4)
  }

  @Test func publishingAgainGoesOnContinuouslyFromAKeyFrameAskedForAtOnce() {
    let (room, publisher, others) = connectedRoom()
    for number in 0..<5 { publisher.sendPicture(isKey: number == 0) }
    publisher.sendAudio()
    room.turn()
    room.publish(1, .none)
    for _ in 0..<7 { publisher.sendPicture(isKey: true) }
    room.turn()
    room.run(milliseconds: 5_000)
    let requests = publisher.keyFrameRequestCount
    room.publish(1, bothForwarded)
    room.turn()
    #expect(publisher.keyFrameRequestCount == requests + 1)
    publisher.sendPicture(isKey: false)
    publisher.sendPicture(isKey: true)
    publisher.sendPicture(isKey: false)
    publisher.sendAudio()
    room.turn()
    let packets = others[0].seen(video)
    #expect(packets.count == 21)
    check(isContinuous(packets))
    check(isContinuous(others[0].seen(audio)))
    #expect(publisher.requested.isEmpty)
  }

  @Test func changingSubscriptionsNeverBreaksAStream() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    publisher.sendPicture(isKey: true)
    room.turn()
    for round in 0..<10 {
      room.subscribe(2, to: 1, ForwardedTracks(audio: round % 2 == 0, video: round % 3 == 0))
      let before = others[0].seen(video).count
      publisher.sendPicture(isKey: false)
      publisher.sendAudio()
      room.turn()
      if round % 3 != 0 { #expect(others[0].seen(video).count == before) }
      publisher.sendPicture(isKey: true)
      room.turn()
      room.run(milliseconds: 10)
    }
    check(isContinuous(others[0].seen(video)))
    check(isContinuous(others[0].seen(audio)))
    #expect(others[0].seen(audio).count == 5)
    #expect(others[1].seen(video).count == 63)
    check(isContinuous(others[1].seen(video)))
  }

  @Test func packetsThatOvertakeTheStartOfAKeyFrameAreForwarded() {
    let (room, publisher, others) = connectedRoom()
    let old = publisher.picture(isKey: false)
    let key = publisher.picture(isKey: true, packetCount: 4)
    publisher.outgoing += [key[2], old[0], key[1], key[0], old[2], key[3]]
    room.turn()
    let packets = others[0].seen(video)
    #expect(packets.count == 4)
    let sorted = packets.sorted { $0.header.sequenceNumber < $1.header.sequenceNumber }
    check(isContinuous(sorted))
    #expect(sorted.first?.descriptor?.startsPartition == true)
  }

  @Test func numbersRollOver() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true, packetCount: 1)
    for _ in 0..<70_000 {
      publisher.sendPicture(isKey: false, packetCount: 1, byteCount: 20)
      room.turn()
      if others[0].seen.count > 1_000 {
        check(isContinuous(others[0].seen))
        others[0].seen.removeFirst(999)
      }
    }
    #expect(room.core.statistics.forwardedPackets == 70_001)
    check(isContinuous(others[0].seen))
  }

  @Test func removingARouteOrAPeerEndsItsMediaOnly() {
    let (room, publisher, others) = connectedRoom(subscribers: 3)
    publisher.sendPicture(isKey: true)
    room.upload()
    room.core.removeRoute(subscriber: 2, publisher: 1)
    room.core.removePeer(client: 3)
    room.download()
    #expect(others.map(\.seen.count) == [0, 0, 3])
    room.core.removePeer(client: 1)
    room.turn()
    #expect(room.core.peerCount == 2)
    // Numbers are used again without mixing anything up.
    let second = room.join(9, publishes: bothForwarded)
    room.route(from: 9, to: 4)
    room.run(milliseconds: 5)
    second.sendPicture(isKey: true)
    room.turn()
    #expect(others[2].seen(routeSSRCs(9).video).count == 3)
    #expect(others[0].seen.isEmpty && others[1].seen.isEmpty)
  }

  @Test func equalPacketsOfATurnLeaveAsOneRunWithASoundPacketAsItsEnd() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    publisher.sendAudio()
    publisher.sendPicture(isKey: true, packetCount: 10, byteCount: 1_000)
    room.runs = []
    room.turn()
    #expect(room.runs.count == 2)
    #expect(room.runs.allSatisfy { $0.segmentCount == 11 && $0.segmentSize == 1_036 })
    #expect(others.allSatisfy { $0.seen.count == 11 })
  }

  @Test func aRunHasAtMost64Segments() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true, packetCount: 150, byteCount: 300)
    room.runs = []
    room.turn()
    #expect(room.runs.map(\.segmentCount) == [64, 64, 22])
    check(isContinuous(others[0].seen(video)))
  }
}
