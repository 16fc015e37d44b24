@testable import ForwardingCore
import MediaBase
import RTPWire
import Testing

extension ForwardedExtensions {
  /// All of them, with numbers of the one-byte form.
  static var all: ForwardedExtensions {
    var extensions = ForwardedExtensions()
    (extensions.sendTimeID, extensions.playoutDelayID, extensions.captureTimeID) = (5, 6, 7)
    (extensions.orientationID, extensions.receivedMediaIDID) = (8, 9)
    extensions.audioMediaID = MediaIDText("a") ?? MediaIDText()
    extensions.videoMediaID = MediaIDText("video1") ?? MediaIDText()
    return extensions
  }

  /// All of them, with numbers that need the two-byte form.
  static var long: ForwardedExtensions {
    var extensions = all
    (extensions.sendTimeID, extensions.captureTimeID, extensions.orientationID) = (15, 200, 255)
    extensions.usesTwoByteForm = true
    return extensions
  }

  var format: ForwardedFormat {
    var format = ForwardedFormat()
    format.extensions = self
    return format
  }
}

@Suite("Header extensions")
struct HeaderExtensionTests {
  private let room = TestRoom()
  private let publisher: TestPeer
  /// What the publisher writes with.
  private static var incoming: ForwardedExtensions {
    var extensions = ForwardedExtensions()
    (extensions.captureTimeID, extensions.orientationID) = (3, 13)
    return extensions
  }
  private static let captureTime: [UInt8] = (1...16).map { $0 * 3 }

  init() {
    publisher = room.join(1, publishes: bothForwarded, format: Self.incoming.format)
  }

  private func subscriber(_ id: UInt64, _ extensions: ForwardedExtensions) -> TestPeer {
    let peer = room.join(id, format: extensions.format)
    room.route(from: 1, to: id)
    room.run(milliseconds: 20)
    return peer
  }

  /// The element `id` of each packet of a stream.
  private func elements(_ id: UInt8, _ ssrc: UInt32, at peer: TestPeer) -> [[UInt8]?] {
    peer.rawPackets.compactMap { bytes -> [UInt8]?? in
      guard let layout = try? RTPPacketLayout(parsing: bytes.span.bytes), layout.header.ssrc == ssrc else { return nil }
      return .some(layout.headerExtension(id: id, in: bytes.span.bytes).map { Array(bytes[$0]) })
    }
  }

  /// A picture of one packet with elements.
  private func sendPicture(_ elements: [(id: UInt8, data: [UInt8])], byteCount: Int = 100) {
    var plain = publisher.plainPicture(byteCount: byteCount)
    var block: [UInt8] = elements.flatMap { [$0.id << 4 | UInt8($0.data.count - 1)] + $0.data }
    while block.count % 4 != 0 { block.append(0) }
    plain[0] |= 0x10
    plain.insert(contentsOf: [0xBE, 0xDE, 0, UInt8(block.count / 4)] + block, at: 12)
    publisher.outgoing.append(publisher.sealed(plain))
  }

  @Test("times of sending are written anew, orientation and capture time as they came, under each receiver's numbers")
  func values() throws {
    let (short, long, none) = (subscriber(2, .all), subscriber(3, .long), subscriber(4, ForwardedExtensions()))
    for number in 0..<3 {
      let whole: [(id: UInt8, data: [UInt8])] = [(3, Self.captureTime), (13, [0x03])]
      let half: [(id: UInt8, data: [UInt8])] = [(3, Array(Self.captureTime.prefix(8)))]
      sendPicture(number == 1 ? whole : half)
      publisher.sendAudio()
      room.run(milliseconds: 30)
    }
    let times: [[UInt8]?] = [Array(Self.captureTime.prefix(8)), Self.captureTime, Array(Self.captureTime.prefix(8))]
    #expect(elements(7, video, at: short) == times && elements(200, video, at: long) == times)
    #expect(elements(8, video, at: short) == [nil, [3], nil] && elements(255, video, at: long) == [nil, [3], nil])
    #expect(elements(7, video, at: none) == [nil, nil, nil])
    for (peer, id) in [(short, UInt8(5)), (long, 15)] {
      for ssrc in [video, audio] {
        let sent = elements(id, ssrc, at: peer).map { $0.map { $0.reduce(0) { $0 << 8 | Int($1) } } ?? -1 }
        #expect(sent.count == 3 && sent.allSatisfy { $0 >= 0 })
        // 30 ms apart, in 1/2^18 s.
        #expect(zip(sent, sent.dropFirst()).allSatisfy { abs(($1 - $0) & 0xFF_FFFF - 7_864) <= 1 })
      }
      // The level and the transport-wide number go on beside them.
      #expect(peer.seen(audio).allSatisfy { $0.audioLevel != nil })
      #expect(peer.seen.allSatisfy { $0.transportSequenceNumber != nil })
      check(isContinuous(peer.seen(video)))
    }
    #expect(short.rejectedCount == 0 && long.rejectedCount == 0)
  }

  @Test("what a receiver needs to be told once is written until it reports on the stream, and for each stream")
  func introduction() throws {
    let viewer = subscriber(2, .all)
    func report(_ ssrc: UInt32) {
      let block = RTCPReportBlock(
        ssrc: ssrc, fractionLost: 0, cumulativeLost: 0, extendedHighestSequenceNumber: 0, jitter: 0,
        lastSenderReport: 0, delaySinceLastSenderReport: 0)
      viewer.sendRTCP { _ = RTCPReport(ssrc: 2, blocks: [block]).write(into: &$0) }
      room.turn()
    }
    func send() {
      viewer.rawPackets = []
      publisher.sendPicture(isKey: true)
      publisher.sendAudio()
      room.turn()
    }
    func isTold() -> [Bool] {
      [elements(6, video, at: viewer), elements(9, video, at: viewer), elements(9, audio, at: viewer)].map {
        !$0.isEmpty && $0.allSatisfy { $0 != nil }
      }
    }
    // A report on what has not been sent proves nothing.
    report(video)
    send()
    #expect(isTold() == [true, true, true])
    #expect(elements(6, video, at: viewer).first == [0, 0, 0])
    #expect(elements(9, video, at: viewer).first == Array("video1".utf8))
    #expect(elements(9, audio, at: viewer).first == Array("a".utf8))
    #expect(elements(6, audio, at: viewer).first == .some(nil))
    report(999)
    report(video)
    send()
    #expect(isTold() == [false, false, true])
    report(audio)
    send()
    #expect(isTold() == [false, false, false])
    #expect(elements(5, video, at: viewer).allSatisfy { $0 != nil })
  }

  @Test("the packets of a picture leave as one run whatever is written into their headers", arguments: [false, true])
  func runs(isLong: Bool) {
    let viewer = subscriber(2, isLong ? .long : .all)
    room.runs = []
    publisher.outgoing += publisher.picture(isKey: true, packetCount: 20, byteCount: 1_000)
    room.turn()
    #expect(room.runs.filter { $0.destination == viewer.address }.map(\.segmentCount) == [20])
  }

  @Test("the longest payloads with everything in their headers fit the path")
  func longest() {
    let viewer = subscriber(2, .long)
    for byteCount in [1_349, 1_350, 1_351, 1_400] {
      // The room holds every datagram against the length of the path.
      sendPicture([(3, Self.captureTime), (13, [3])], byteCount: byteCount)
      room.turn()
    }
    #expect(elements(200, video, at: viewer).map { $0 != nil } == [true, true, false, false])
    #expect(elements(255, video, at: viewer) == [[3], [3], [3], [3]])
  }

  @Test("elements of other lengths than they have are not passed on, and reserved bits are cleared")
  func malformed() {
    let viewer = subscriber(2, .all)
    for (id, data) in [(UInt8(3), [UInt8]([1])), (3, [1, 2, 3, 4, 5, 6, 7]), (13, [1, 2]), (13, [0xF1])] {
      sendPicture([(id, data)])
      room.turn()
    }
    #expect(elements(7, video, at: viewer) == [nil, nil, nil, nil])
    #expect(elements(8, video, at: viewer) == [nil, nil, nil, [1]])
  }
}

extension TestPeer {
  /// A key frame of one packet before protection.
  fileprivate func plainPicture(byteCount: Int) -> [UInt8] {
    pictureID = (pictureID &+ 1) & 0x7FFF
    tl0PicIdx &+= 1
    videoTimestamp &+= 3_000
    defer { videoSequenceNumber &+= 1 }
    let descriptor = VP8PayloadDescriptor(
      startsPartition: true, pictureID: pictureID, tl0PicIdx: tl0PicIdx, temporalID: 0)
    let header = RTPHeader(
      marker: true, payloadType: 96, sequenceNumber: videoSequenceNumber, timestamp: videoTimestamp, ssrc: ssrcs.video)
    let head = written {
      _ = header.write(into: &$0)
      _ = descriptor.write(into: &$0)
    }
    let frame: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xB4, 0x00]
    return head + frame + [UInt8](repeating: 7, count: max(0, byteCount - (head.count - 12) - frame.count))
  }

  /// Encrypts a packet whose bytes are given.
  fileprivate func sealed(_ plain: [UInt8]) -> [UInt8] {
    var buffer = plain + [UInt8](repeating: 0, count: 64)
    let count = buffer.withUnsafeMutableBytes { protect($0, length: plain.count) }
    return Array(buffer[..<count])
  }
}
