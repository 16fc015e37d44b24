import MediaBase

/// Which pictures of a stream with temporal layers go on, decided picture by picture in the publisher's order.
///
/// A picture above the limit is left out with its numbers. The limit falls at once; it rises where a picture does not need
/// what was left out (RFC 7741 section 4.2, the Y bit). Where packets are missing, it must be known whether they would
/// have been left out, before what follows can be numbered: nearly always picture ids tell.
struct TemporalFilter {
  /// For how long what follows missing packets is kept back, if nothing tells what they were.
  static let longestHold = MediaDuration.milliseconds(250)

  var isOn = false
  /// The highest temporal id that goes on.
  var limit: UInt8 = .max
  /// The publisher's index of the newest packet that has been decided on.
  var frontier: Int64 = 0
  /// The picture of that packet.
  private var pictureID: UInt16 = 0
  private var tl0PicIdx: UInt8 = 0
  private var hasPicture = false
  private var hasTL0PicIdx = false
  /// Whether that picture is left out.
  private(set) var isDropping = false
  /// Whether that packet is the last one of its picture.
  private(set) var hasEnded = true
  /// Left out since the last packet that went on.
  private(set) var droppedPackets: Int64 = 0
  private(set) var droppedPictures: UInt16 = 0
  /// Whether something has been left out that later pictures may need.
  private var hasDroppedReference = false
  /// Since when a gap is not understood.
  var heldSince: MediaInstant?

  /// What packets that are missing before one that has come would be.
  enum Gap: Equatable {
    case forwarded
    case dropped(pictures: UInt16)
    case unknown
  }

  /// Goes on behind packet `frontier`, of which `record` is what is known.
  mutating func start(at frontier: Int64, record: PacketRecord?, limit: UInt8) {
    self = TemporalFilter()
    isOn = true
    self.limit = limit
    self.frontier = frontier
    guard let record else { return }
    note(record)
  }

  private mutating func note(_ record: PacketRecord) {
    if record.hasPictureID {
      pictureID = record.pictureID
      hasPicture = true
      tl0PicIdx = record.tl0PicIdx
      hasTL0PicIdx = record.tl0PicIdxOffset != 0
    }
    hasEnded = record.marker
  }

  private func isNewPicture(_ record: PacketRecord) -> Bool {
    record.hasPictureID && (!hasPicture || record.pictureID != pictureID)
  }

  /// The limit from the picture of `record` on, which is a new one.
  private func limit(from record: PacketRecord, target: UInt8) -> UInt8 {
    if record.startsKeyFrame || target <= limit || !hasDroppedReference { return target }
    return record.isLayerSync && record.temporalID == limit + 1 ? record.temporalID : limit
  }

  /// Takes the packet behind the frontier; whether it goes on. The caller moves the frontier.
  mutating func admits(_ record: PacketRecord, target: UInt8) -> Bool {
    if isNewPicture(record) {
      limit = limit(from: record, target: target)
      if record.startsKeyFrame { hasDroppedReference = false }
      isDropping = record.temporalID > limit
      if isDropping {
        droppedPictures &+= 1
        if !record.isNonReference { hasDroppedReference = true }
      }
    }
    note(record)
    if isDropping { droppedPackets += 1 }
    return !isDropping
  }

  /// Leaves out what is missing before a packet that has come.
  mutating func drop(packets: Int64, pictures: UInt16) {
    droppedPackets += packets
    droppedPictures &+= pictures
    if pictures > 0 { hasDroppedReference = true }
  }

  /// What was left out has been taken out of the numbers.
  mutating func settle() {
    droppedPackets = 0
    droppedPictures = 0
  }

  /// What the packets between the frontier and `next` would be.
  func gap(before next: PacketRecord, target: UInt8) -> Gap {
    guard next.hasPictureID else { return isDropping ? .dropped(pictures: 0) : .forwarded }
    guard hasPicture else { return .forwarded }
    let step = (next.pictureID &- pictureID) & 0x7FFF
    if step == 0 { return isDropping ? .dropped(pictures: 0) : .forwarded }
    let dropsNext = next.temporalID > limit(from: next, target: target)
    guard step > 1 else {
      // The end of one picture, the beginning of the next, or both.
      if hasEnded { return dropsNext ? .dropped(pictures: 0) : .forwarded }
      if next.startsPicture || isDropping == dropsNext { return isDropping ? .dropped(pictures: 0) : .forwarded }
      return .unknown
    }
    guard step < 0x4000 else { return .unknown }
    return gap(before: next, pictures: step - 1, dropsNext: dropsNext)
  }

  /// Whole pictures are missing. With the base layer alone, TL0PICIDX tells which they were.
  private func gap(before next: PacketRecord, pictures: UInt16, dropsNext: Bool) -> Gap {
    guard limit == 0, hasTL0PicIdx, next.tl0PicIdxOffset != 0 else { return .unknown }
    let bases = next.tl0PicIdx &- tl0PicIdx &- (next.temporalID == 0 ? 1 : 0)
    if bases == 0 {
      let isClean = (isDropping || hasEnded) && (dropsNext || next.startsPicture)
      return isClean ? .dropped(pictures: pictures) : .unknown
    }
    if UInt16(bases) == pictures {
      let isClean = (!isDropping || hasEnded) && (!dropsNext || next.startsPicture)
      return isClean ? .forwarded : .unknown
    }
    return .unknown
  }
}
