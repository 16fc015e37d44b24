import ForwardingCore
import MediaBase
import RTPWire
import Testing

/// A room where 1 publishes a video in several encodings, and others watch. The publisher's packets are lost, delayed and
/// reordered as a test wants; it answers requests.
final class SimulcastRoom {
  let room = TestRoom()
  let publisher: TestPeer
  var viewers: [UInt64: TestPeer] = [:]
  var encoders: [LayerEncoder]
  var random: SeededRandom
  /// Encodings that the publisher has stopped.
  var stopped: Set<Int> = []
  var uplinkLoss = 0.0
  var uplinkReordering = 0.0
  var answersKeyFrameRequests = true
  /// Whether the publisher tells how its encodings' clocks belong together.
  var sendsReports = false
  /// Whether its packets have transport-wide numbers.
  var numbersPackets = false
  private var transportSequenceNumber: UInt16 = 65_000
  /// Milliseconds from picture to picture.
  var pictureInterval: Int64 = 33
  /// How finely time passes, in milliseconds.
  var step = 5
  private var flights: [(due: MediaInstant, datagram: [UInt8])] = []
  var nextPicture: MediaInstant
  private var nextReport: MediaInstant
  private var missing: [UInt64: MissingNumbers] = [:]

  static let names = ["q", "h", "f"]

  init(
    layers: Int = 3, temporalLayers: Int = 1, announcesSSRCs: Bool = true, seed: UInt64 = 1,
    _ change: (inout ForwardingPeer) -> Void = { _ in }
  ) {
    var random = SeededRandom(seed: seed)
    encoders = (0..<layers).map { layer in
      LayerEncoder(
        layer: UInt8(layer), ssrc: layers == 1 ? peerSSRCs(1).video : 2_000 + UInt32(layer),
        rtxSSRC: layers == 1 ? peerSSRCs(1).videoRTX : 3_000 + UInt32(layer), width: 320 << UInt16(layer),
        temporalLayers: temporalLayers, random: &random)
    }
    self.random = random
    nextPicture = room.now
    nextReport = room.now
    let encoders = encoders
    publisher = room.join(1, publishes: bothForwarded) { description in
      description.format.mediaIDExtensionID = 9
      description.format.restrictionIDExtensionID = 10
      description.format.repairedRestrictionIDExtensionID = 11
      description.videoMediaID = Array("1".utf8)
      description.layers = encoders.enumerated().map { position, encoder in
        announcesSSRCs
          ? ForwardedLayer(ssrc: encoder.ssrc, rtxSSRC: encoder.rtxSSRC)
          : ForwardedLayer(restrictionID: Array(Self.names[position].utf8))
      }
      change(&description)
    }
    room.run(milliseconds: 20)
  }

  func watch(
    _ id: UInt64 = 2, _ target: LayerTarget = .best, format: ForwardedFormat = ForwardedFormat()
  ) -> TestPeer {
    let viewer = room.join(id, format: format)
    room.route(from: 1, to: id)
    setTarget(target, of: id)
    viewers[id] = viewer
    return viewer
  }

  func setTarget(_ target: LayerTarget, of id: UInt64 = 2) {
    room.core.setTarget(subscriber: id, publisher: 1, target, now: room.now)
  }

  func layer(of id: UInt64 = 2) -> Int? { room.core.forwardedLayer(subscriber: id, publisher: 1) }

  /// Lets time pass; a picture in each running encoding every 33 ms, or as is set.
  func run(milliseconds: Int) {
    for _ in 0..<max(milliseconds / step, 1) {
      room.now = room.now + .milliseconds(Int64(step))
      if room.now >= nextPicture {
        nextPicture = nextPicture + .milliseconds(pictureInterval)
        for position in encoders.indices where !stopped.contains(position) { sendPicture(of: position) }
      }
      if sendsReports, room.now >= nextReport {
        nextReport = nextReport + .milliseconds(500)
        sendReports()
      }
      answerRequests()
      let due = flights.filter { $0.due <= room.now }
      flights.removeAll { $0.due <= room.now }
      for flight in due { room.inject(flight.datagram, from: publisher.address) }
      room.handleTimeout()
      for peer in room.peers.values { peer.handleTimeout(now: room.now) }
      for (id, viewer) in viewers { askForMissing(viewer, id) }
      room.turn()
    }
  }

  func sendPicture(of position: Int) {
    for (header, payload) in encoders[position].encode(at: room.now, random: &random) {
      let datagram = publisher.sealed(
        header, elements: numbered(encoders[position].elements), twoByte: encoders[position].usesTwoByteForm,
        payload: payload)
      guard Double.random(in: 0..<1, using: &random) >= uplinkLoss else { continue }
      let late = Double.random(in: 0..<1, using: &random) < uplinkReordering
      flights.append((room.now + .milliseconds(late ? Int64.random(in: 5...40, using: &random) : 0), datagram))
    }
  }

  private func numbered(_ elements: [UInt8]) -> [UInt8] {
    guard numbersPackets else { return elements }
    transportSequenceNumber &+= 1
    return elements + [0x31, UInt8(transportSequenceNumber >> 8), UInt8(transportSequenceNumber & 255)]
  }

  private func sendReports() {
    for encoder in encoders {
      // Each at a time of its own.
      let microseconds = room.now.nanoseconds / 1_000 - Int64(encoder.layer) * 100_000
      let sender = RTCPReport.SenderInfo(
        ntpTimestamp: UInt64(microseconds) << 32 / 1_000_000,
        rtpTimestamp: encoder.timestampBase &+ UInt32(truncatingIfNeeded: microseconds * 9 / 100), packetCount: 0,
        octetCount: 0)
      publisher.sendRTCP { _ = RTCPReport(ssrc: encoder.ssrc, sender: sender).write(into: &$0) }
    }
  }

  /// Sends again what the server misses, 20 ms later, and key frames.
  private func answerRequests() {
    for position in encoders.indices {
      let ssrc = encoders[position].ssrc
      for number in publisher.requestedOf.removeValue(forKey: ssrc) ?? [] {
        guard let (header, payload) = encoders[position].retransmission(of: number) else { continue }
        let datagram = publisher.sealed(
          header, elements: numbered(encoders[position].rtxElements), twoByte: encoders[position].usesTwoByteForm,
          payload: payload)
        flights.append((room.now + .milliseconds(20), datagram))
      }
      if answersKeyFrameRequests, publisher.keyFrameRequests.contains(ssrc) { encoders[position].wantsKeyFrame = true }
    }
    publisher.keyFrameRequests = []
  }

  /// What a receiver does: asks every 20 ms for what is missing.
  private func askForMissing(_ viewer: TestPeer, _ id: UInt64) {
    let wanted = missing[id, default: MissingNumbers()].take(from: viewer, now: room.now)
    if !wanted.isEmpty { viewer.sendNACK(video, wanted) }
  }
}

/// Which numbers a viewer misses.
struct MissingNumbers {
  private var position = 0
  private var highest: UInt16?
  private var numbers: Set<UInt16> = []
  private var lastRequest = MediaInstant.zero

  /// What to ask for now; nothing more often than every 20 ms.
  mutating func take(from viewer: TestPeer, now: MediaInstant) -> [UInt16] {
    for packet in viewer.seen[position...] {
      switch packet.header.ssrc {
      case video:
        let number = packet.header.sequenceNumber
        if let highest, number &- highest < 0x8000 {
          var between = highest &+ 1
          while between != number, number != highest {
            numbers.insert(between)
            between &+= 1
          }
        }
        if highest.map({ number &- $0 < 0x8000 }) ?? true { highest = number }
        numbers.remove(number)
      case videoRTX where packet.payload.count > 2:
        numbers.remove(UInt16(packet.payload[0]) << 8 | UInt16(packet.payload[1]))
      default: break
      }
    }
    position = viewer.seen.count
    guard now - lastRequest >= .milliseconds(20) else { return [] }
    lastRequest = now
    return numbers.sorted()
  }
}

/// What a viewer got, put together.
struct VideoCheck {
  /// By number, those sent again in their places; without what they are.
  private(set) var packets: [UInt16: SeenPacket] = [:]
  private(set) var order: [UInt16] = []

  init(_ viewer: TestPeer) {
    for packet in viewer.seen {
      var packet = packet
      if packet.header.ssrc == videoRTX, packet.payload.count > 2 {
        packet.header.sequenceNumber = UInt16(packet.payload[0]) << 8 | UInt16(packet.payload[1])
        packet.payload.removeFirst(2)
        packet.header.payloadType = 96
      } else if packet.header.ssrc != video {
        continue
      }
      packets[packet.header.sequenceNumber] = packet
    }
    guard let first = viewer.seen(video).first?.header.sequenceNumber else { return }
    // A packet may have overtaken the first one by a few places.
    let start = (1...64).last { packets[first &- UInt16($0)] != nil }.map { first &- UInt16($0) } ?? first
    order = packets.keys.sorted { $0 &- start < $1 &- start }
  }

  /// Numbers between the first and the last that have not come.
  var missing: [UInt16] {
    guard let first = order.first, let last = order.last else { return [] }
    return (0..<(last &- first)).map { first &+ $0 }.filter { packets[$0] == nil }
  }

  /// The pictures, in order; records an issue for each rule that a packet breaks.
  ///
  /// - Parameter toleratesHolesBeforeKeyFrames: what is lost when a key frame comes is not asked for any more.
  func pictures(
    toleratesHolesBeforeKeyFrames: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [MadePicture] {
    var result: [MadePicture] = []
    var holes = 0
    /// Pictures since a hole.
    var skipped: Int?
    var known: Set<UInt32> = []
    var before: SeenPacket?
    var nextPart = 0
    var last: (descriptor: VP8PayloadDescriptor, timestamp: UInt32)?
    func expect(_ condition: Bool, _ rule: String) {
      if !condition { Issue.record("\(rule), at picture \(result.count)", sourceLocation: sourceLocation) }
    }
    for packet in order.compactMap({ packets[$0] }) {
      guard let (picture, part, count) = MadePicture.parse(packet.payload), let descriptor = packet.descriptor else {
        Issue.record("a packet that is none of the publisher's", sourceLocation: sourceLocation)
        continue
      }
      let isContinuous = before.map { packet.header.sequenceNumber == $0.header.sequenceNumber &+ 1 } ?? true
      if toleratesHolesBeforeKeyFrames, !isContinuous || part != nextPart {
        holes += 1
        skipped = skipped ?? 0
        last = nil
      }
      before = packet
      if skipped != nil, picture.isKey, part == 0 {
        skipped = nil
        nextPart = 0
      } else if let pictures = skipped {
        nextPart = part == count - 1 ? 0 : part + 1
        skipped = pictures + (part == 0 ? 1 : 0)
        expect(pictures <= 3, "a key frame is near")
        continue
      } else {
        expect(isContinuous, "no number is missing")
      }
      expect(part == nextPart, "pictures are whole")
      expect(packet.header.marker == (part == count - 1), "the last packet is marked")
      nextPart = part == count - 1 ? 0 : part + 1
      if part == 0 {
        if let last { expectStep(from: last, to: packet, descriptor, picture, expect) }
        if let previous = result.last {
          expect(picture.layer == previous.layer || picture.isKey, "encodings change with key frames")
        } else {
          expect(picture.isKey, "a key frame comes first")
        }
        if picture.isKey { known = [] }
        expect(picture.references.allSatisfy(known.contains), "what a picture needs has come")
        known.insert(picture.number)
        result.append(picture)
        last = (descriptor, packet.header.timestamp)
      } else if let last {
        expect(last.timestamp == packet.header.timestamp, "a picture has one timestamp")
        expect(last.descriptor.pictureID == descriptor.pictureID, "a picture has one id")
      }
    }
    expect(holes * 20 <= result.count, "holes are rare")
    return result
  }

  private func expectStep(
    from last: (descriptor: VP8PayloadDescriptor, timestamp: UInt32), to packet: SeenPacket,
    _ descriptor: VP8PayloadDescriptor, _ picture: MadePicture, _ expect: (Bool, String) -> Void
  ) {
    expect(Int32(bitPattern: packet.header.timestamp &- last.timestamp) > 0, "timestamps rise")
    if let old = last.descriptor.pictureID, let new = descriptor.pictureID {
      expect((new &- old) & 0x7FFF == 1, "picture ids rise by one")
    }
    if let old = last.descriptor.tl0PicIdx, let new = descriptor.tl0PicIdx {
      expect(new &- old == (picture.temporalID == 0 ? 1 : 0), "TL0PICIDX counts pictures of the base layer")
    }
  }
}
