import MediaBase
import RTPWire

/// One track as it comes from its publisher; of a video in several encodings, one of them.
struct IngressStream: ~Copyable {
  /// What became of a packet.
  enum Reception {
    case kept
    /// Kept, and it had been asked for.
    case recovered
    case duplicate
    /// Too old to matter, or too large.
    case unusable
  }

  let kind: TrackKind
  /// The publisher's number in the pool of peers.
  var publisher: Int32
  /// 0 until it is known.
  private(set) var ssrc: UInt32
  private(set) var isPublished = false
  /// The egresses that this stream may go to.
  var fanOut: [Int32] = []
  /// Whether packets have come that the egresses have not been told of.
  var isDirty = false
  /// Since when, if it is.
  var dirtySince = MediaInstant.zero
  /// When the core looks at what this stream wants of its publisher.
  var timerTime: MediaInstant?
  var history: PacketHistory
  /// Packets kept so far.
  private(set) var arrivalCount: UInt64 = 0
  /// Packets that the egresses have been told of.
  var linkedArrivalCount: UInt64 = 0
  /// Whether the newest packet is not the last one of its picture.
  private(set) var isInsidePicture = false
  /// Of sound: the channel's choice of voices that it takes part in.
  var speakerGroup = Pool<SpeakerGroup>.none
  var voice = VoiceActivity()
  /// Whether it is one of the voices that are forwarded.
  var isHeard = true
  /// Where the newest key frame starts.
  private(set) var keyFrame: (index: Int64, arrival: UInt64, time: MediaInstant)?
  var losses = LossTracker()
  var keyFrames = KeyFrameRequests()
  /// How the publisher's clocks belong together.
  private(set) var sourceReport: SourceReport?
  /// One that says something else; counts when the next one agrees with it.
  private var doubtfulReport: SourceReport?
  private var unwrapper = SequenceUnwrapper()
  /// The next packet begins a new stretch: numbers before it are not missing.
  private var startsAnew = true
  /// The earliest packet of this stretch: the first one to come may have overtaken others.
  private var lowest: Int64?
  private var statistics = ReceptionStatistics()
  /// Added to what `unwrapper` says, so that indices rise when the publisher begins again under another SSRC.
  private var indexShift: Int64 = 0
  /// When the last packet came.
  private(set) var lastArrival: MediaInstant?
  private(set) var meter = LayerMeter()
  /// Of the last key frame.
  private(set) var pictureSize = (width: 0, height: 0)
  /// The highest temporal id that has come.
  private(set) var highestTemporalID: UInt8 = 0
  /// Whether something has changed by which layers are chosen: it came to life, or it has another picture size or more
  /// temporal layers.
  var needsReview = false
  private var lastPictureID: UInt16 = 0

  init(kind: TrackKind, publisher: Int32, ssrc: UInt32) {
    self.kind = kind
    self.publisher = publisher
    self.ssrc = ssrc
    // Sound is never sent again: its history only bridges one turn.
    history = PacketHistory(capacity: kind == .video ? 1_024 : 128)
  }

  mutating func setPublished(_ published: Bool) {
    isPublished = published
    startsAnew = true
    lowest = nil
    losses.removeAll()
    keyFrame = nil
    keyFrames.cancel()
  }

  /// Takes an original packet of the publisher.
  ///
  /// - Parameters:
  ///   - primaryOffset: where the packet's own encoding begins in redundant audio.
  ///   - isReconstructed: whether the packet itself has been lost, and the payload comes from a later one.
  mutating func receive(
    _ header: RTPHeader, payload: RawSpan, primaryOffset: Int = 0, audioLevel: UInt8, isReconstructed: Bool = false,
    now: MediaInstant, _ configuration: ForwardingConfiguration
  ) -> Reception {
    let index = indexShift + unwrapper.peek(header.sequenceNumber)
    let before = highestIndex
    let verdict = admit(index, byteCount: payload.byteCount)
    guard verdict == .kept else { return verdict }
    _ = unwrapper.unwrap(header.sequenceNumber)
    if !isReconstructed {
      statistics.count(index: index, timestamp: header.timestamp, clockRate: kind.clockRate, now: now)
    }
    var recovered = false
    if let before, index > before + 1 {
      noteGap(before + 1..<index, now: now, configuration)
    } else if let before, index < before {
      recovered = losses.arrived(index, now: now)
    }
    startsAnew = false
    keep(header, index: index, payload: payload, primaryOffset: primaryOffset, audioLevel: audioLevel, now: now)
    noteStart(index, now: now, configuration)
    return recovered ? .recovered : .kept
  }

  /// What the newest packet to come says beside its payload.
  mutating func attach(_ extras: PacketExtras) { history.attach(extras, toArrival: arrivalCount &- 1) }

  /// Takes a packet that the publisher sent again (RFC 4588): `payload` without the original sequence number.
  mutating func receiveRetransmission(
    _ header: RTPHeader, originalSequenceNumber: UInt16, payload: RawSpan, now: MediaInstant
  ) -> Reception {
    // Behind the newest only: what comes first as a retransmission was not lost, or nobody has missed it yet.
    let index = indexShift + unwrapper.peek(originalSequenceNumber)
    guard let highest = highestIndex, !startsAnew, index < highest else { return .unusable }
    let verdict = admit(index, byteCount: payload.byteCount)
    guard verdict == .kept else { return verdict }
    let recovered = losses.arrived(index, now: now)
    keep(header, index: index, payload: payload, audioLevel: PacketRecord.noLevel, now: now)
    return recovered ? .recovered : .kept
  }

  private func admit(_ index: Int64, byteCount: Int) -> Reception {
    guard byteCount <= PacketHistory.maximumPayloadLength else { return .unusable }
    guard let highest = highestIndex, index <= highest else { return .kept }
    guard highest - index < Int64(history.capacity) else { return .unusable }
    return history.record(of: index) == nil ? .kept : .duplicate
  }

  private mutating func noteGap(_ gap: Range<Int64>, now: MediaInstant, _ configuration: ForwardingConfiguration) {
    if startsAnew {
      statistics.skip(Int64(gap.count))
      return
    }
    guard kind == .video else { return }
    if !losses.skipped(gap, askAt: now + configuration.reorderingTolerance) { keyFrames.askedBySubscriber(now: now) }
  }

  /// A key frame that starts before the first packet that came: what is missing between them has not been skipped by
  /// any packet, and all wait for it.
  private mutating func noteStart(_ index: Int64, now: MediaInstant, _ configuration: ForwardingConfiguration) {
    defer { lowest = min(lowest ?? index, index) }
    guard let lowest, index < lowest, history.record(of: index)?.startsKeyFrame == true else { return }
    for middle in index + 1..<lowest where history.record(of: middle) == nil {
      guard losses.skipped(middle..<middle + 1, askAt: now + configuration.reorderingTolerance) else {
        return keyFrames.askedBySubscriber(now: now)
      }
    }
  }

  private mutating func keep(
    _ header: RTPHeader, index: Int64, payload: RawSpan, primaryOffset: Int = 0, audioLevel: UInt8, now: MediaInstant
  ) {
    var record = PacketRecord()
    record.index = index
    record.arrival = arrivalCount
    record.timestamp = header.timestamp
    record.payloadLength = UInt16(truncatingIfNeeded: payload.byteCount)
    record.primaryOffset = UInt16(truncatingIfNeeded: primaryOffset)
    record.marker = header.marker
    record.audioLevel = audioLevel
    if kind == .video {
      keepVideo(&record, payload: payload, now: now)
    } else {
      history.store(record, payload: payload)
    }
    meter.count(byteCount: payload.byteCount, temporalID: record.temporalID, now: now)
    lastArrival = now
    arrivalCount &+= 1
    keyFrames.packetArrived()
    if index == highestIndex { isInsidePicture = !record.marker }
    if record.startsKeyFrame {
      if index >= keyFrame?.index ?? index { keyFrame = (index, record.arrival, now) }
      keyFrames.keyFrameStarted(now: now)
      losses.forget(before: index)
    }
  }

  /// How many packets are missing between the newest one and this.
  func lostBefore(_ sequenceNumber: UInt16) -> Int {
    guard let highest = highestIndex, !startsAnew else { return 0 }
    return Int(clamping: max(indexShift + unwrapper.peek(sequenceNumber) - highest - 1, 0))
  }

  private mutating func keepVideo(_ record: inout PacketRecord, payload: RawSpan, now: MediaInstant) {
    if let header = record.examineVP8(payload), header.isKeyFrame,
      header.width != pictureSize.width || header.height != pictureSize.height
    {
      pictureSize = (header.width, header.height)
      needsReview = true
    }
    if record.temporalID > highestTemporalID {
      highestTemporalID = record.temporalID
      needsReview = true
    }
    if lastArrival.map({ now - $0 >= Self.dryTime }) ?? true { needsReview = true }
    guard record.hasPictureID, let short = PacketRecord.shortPictureID(in: payload) else {
      return history.store(record, payload: payload)
    }
    // All subscribers get 15 bits, since their numbers go on when the encoding is changed for another.
    let difference = (short &- UInt8(truncatingIfNeeded: lastPictureID)) & 0x7F
    let step = difference < 0x40 ? Int16(difference) : Int16(difference) - 0x80
    record.pictureID = (lastPictureID &+ UInt16(bitPattern: step)) & 0x7FFF
    if step > 0 { lastPictureID = record.pictureID }
    record.payloadLength += 1
    history.store(record, payload: payload, wideningPictureID: record.pictureID)
  }

  /// Takes a report of the publisher. One that contradicts what was known, or the packets that come, is believed when
  /// another agrees with it: a machine that has slept, or a sender that resets its clock, makes such.
  mutating func receive(_ report: SourceReport) {
    guard report.ntpTimestamp != 0 else { return }
    let isPlausible = sourceReport.map { $0.agrees(with: report, clockRate: kind.clockRate) } ?? fitsPackets(report)
    if isPlausible || doubtfulReport.map({ $0.agrees(with: report, clockRate: kind.clockRate) }) ?? false {
      sourceReport = report
      doubtfulReport = nil
    } else {
      doubtfulReport = report
    }
  }

  /// Whether a report's timestamp is within ten seconds of what the packets lead to expect.
  private func fitsPackets(_ report: SourceReport) -> Bool {
    guard let highestIndex, let lastArrival, let record = history.record(of: highestIndex) else { return true }
    let ticks = (report.arrival - lastArrival).nanoseconds / 1_000 &* kind.clockRate / 1_000_000
    let distance = report.rtpTimestamp &- record.timestamp &- UInt32(truncatingIfNeeded: ticks)
    return Int64(Int32(bitPattern: distance)).magnitude < UInt64(kind.clockRate) * 10
  }

  /// A layer without packets for that long, while others have some, has dried up.
  static var dryTime: MediaDuration { .milliseconds(700) }

  /// The unwrapped number of the newest packet.
  var highestIndex: Int64? { unwrapper.highest.map { $0 + indexShift } }

  /// The publisher sends this stream under `ssrc` from now on; its numbers begin anew.
  mutating func adopt(ssrc: UInt32) {
    self.ssrc = ssrc
    guard let highest = highestIndex else { return }
    // The low 16 bits stay those of the packets.
    indexShift = (highest &>> 16 + 1) &<< 16
    unwrapper = SequenceUnwrapper()
    statistics = ReceptionStatistics()
    sourceReport = nil
    doubtfulReport = nil
    startsAnew = true
    lowest = nil
    losses.removeAll()
  }

  /// An egress no longer looks at this stream.
  mutating func removeFromFanOut(_ egress: Int32) {
    if let position = fanOut.firstIndex(of: egress) { fanOut.remove(at: position) }
  }

  /// When this stream wants something of its publisher.
  func deadline(_ configuration: ForwardingConfiguration) -> MediaInstant? {
    guard isPublished, kind == .video else { return nil }
    return MediaInstant.earliest(losses.deadline, keyFrames.deadline(configuration))
  }

  /// What a receiver report to the publisher says, if anything came.
  mutating func takeReport(now: MediaInstant) -> RTCPReportBlock? {
    guard let highest = highestIndex else { return nil }
    return statistics.takeReport(ssrc: ssrc, highest: highest, sender: sourceReport, now: now)
  }
}
