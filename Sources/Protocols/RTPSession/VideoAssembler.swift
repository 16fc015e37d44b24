import MediaBase
import RTPWire

/// Puts packets together to pictures, and lets through those that can be decoded.
///
/// Packets live in a ring by their unwrapped sequence numbers. A picture is complete when everything from the packet that
/// starts it to the one with the marker is there. It is let through at once when it is a key frame, or when all it refers
/// to has been let through: see `isDecodable(_:)`. What lies before a picture that was let through is dropped.
struct VideoAssembler {
  /// Packets that are kept at most; longer pictures cannot be put together.
  static let capacity: Int64 = 1_024
  /// Packets from before the first one that may still come: the first may have overtaken others.
  private static let headStart: Int64 = 64
  /// All temporal layers; RFC 7741 knows 0 to 3.
  private static let allLayers: UInt8 = 3

  private struct Picture {
    let range: ClosedRange<Int64>
    let isKeyFrame: Bool
    let pictureID: UInt16?
    let tl0PicIdx: UInt8?
    let temporalID: UInt8
    let isLayerSync: Bool
  }

  private var slots: [VideoPacket] = []
  private var indices: [Int64] = []
  /// Complete and not yet let through, ascending.
  private var pictures: [Picture] = []
  /// The first index that has not been let through or dropped; `nil` before the first packet.
  private(set) var next: Int64?
  /// Nothing but a key frame can be let through.
  private(set) var isWaitingForKeyFrame = true
  /// Set whenever decoding cannot go on without a key frame, for the owner to reset.
  var hasBroken = false
  /// Where a key frame starts that is not complete yet, and when that packet came.
  private(set) var arrivingKeyFrame: (index: Int64, time: MediaInstant)?

  private var lastPictureID: UInt16?
  private var lastTL0PicIdx: UInt8?
  /// The highest layer of whose pictures none is missing that later ones may refer to.
  private var intactLayer: UInt8 = allLayers

  /// Takes the packet at `index`, which came neither before nor is further away than the ring is long, and appends the
  /// pictures that can be decoded now to `frames`.
  mutating func insert(
    _ packet: VideoPacket, at index: Int64, now: MediaInstant, into frames: inout [EncodedVideoFrame]
  ) {
    let first = next ?? index - Self.headStart
    if next == nil { next = first }
    guard index >= first else { return }
    makeRoom(for: index)
    store(packet, at: index)
    if packet.isKeyFrame { arrivingKeyFrame = (index, now) }
    let endsOther = endPictureWithoutMarker(before: index)
    let endsOwn = endPictureWithoutMarker(before: index + 1)
    if completePicture(around: index) || endsOther || endsOwn || index == next { letThrough(into: &frames) }
  }

  /// The packet at `index` will never come.
  mutating func giveUp(_ index: Int64, into frames: inout [EncodedVideoFrame]) {
    guard let next, index >= next else { return }
    breakDecoding()
    drop(below: index + 1)
    letThrough(into: &frames)
  }

  /// The stream goes on somewhere else.
  mutating func restart() {
    breakDecoding()
    if let next { drop(below: next + Self.capacity) }
    next = nil
  }

  // MARK: The ring

  private func position(_ index: Int64) -> Int? {
    guard !indices.isEmpty else { return nil }
    let position = Int(truncatingIfNeeded: index & (Self.capacity - 1))
    return indices[position] == index ? position : nil
  }

  private mutating func store(_ packet: VideoPacket, at index: Int64) {
    if slots.isEmpty {
      slots = Array(repeating: VideoPacket(), count: Int(Self.capacity))
      indices = Array(repeating: -1, count: Int(Self.capacity))
    }
    let position = Int(truncatingIfNeeded: index & (Self.capacity - 1))
    slots[position] = packet
    indices[position] = index
  }

  /// Drops what is in the way of `index`.
  private mutating func makeRoom(for index: Int64) {
    guard let next, index - next >= Self.capacity else { return }
    if !isWaitingForKeyFrame { breakDecoding() }
    drop(below: index - Self.capacity + 1)
  }

  private mutating func drop(below index: Int64) {
    guard let next, index > next else { return }
    if !indices.isEmpty {
      for old in next..<min(index, next + Self.capacity) {
        guard let position = position(old) else { continue }
        slots[position].data = []
        indices[position] = -1
      }
    }
    self.next = index
    pictures.removeAll { $0.range.lowerBound < index }
    if let arriving = arrivingKeyFrame, arriving.index < index { arrivingKeyFrame = nil }
  }

  private mutating func breakDecoding() {
    isWaitingForKeyFrame = true
    hasBroken = true
  }

  // MARK: Pictures

  /// A new picture that starts right behind ends the one before, even if its sender forgot the marker.
  private mutating func endPictureWithoutMarker(before index: Int64) -> Bool {
    guard let position = position(index), slots[position].startsPicture, let before = self.position(index - 1),
      !slots[before].isFiller, !slots[before].marker, slots[before].timestamp != slots[position].timestamp
    else { return false }
    slots[before].marker = true
    return completePicture(around: index - 1)
  }

  /// If the picture to which `index` belongs is complete, remembers it.
  private mutating func completePicture(around index: Int64) -> Bool {
    guard let timestamp = position(index).map({ slots[$0].timestamp }) else { return false }
    var last = index
    while let position = position(last), slots[position].timestamp == timestamp, !slots[position].marker {
      last += 1
      guard last - index < Self.capacity else { return false }
    }
    var first = last
    while let position = position(first), slots[position].timestamp == timestamp,
      first == last || !slots[position].marker
    {
      guard !slots[position].startsPicture else {
        remember(first...last)
        return true
      }
      first -= 1
      guard last - first < Self.capacity else { return false }
    }
    return false
  }

  private mutating func remember(_ range: ClosedRange<Int64>) {
    guard let position = position(range.lowerBound) else { return }
    let start = slots[position]
    let place = pictures.firstIndex { $0.range.lowerBound >= range.lowerBound } ?? pictures.count
    if place < pictures.count, pictures[place].range.lowerBound == range.lowerBound { return }
    pictures.insert(
      Picture(
        range: range, isKeyFrame: start.isKeyFrame, pictureID: start.pictureID, tl0PicIdx: start.tl0PicIdx,
        temporalID: start.temporalID, isLayerSync: start.isLayerSync), at: place)
  }

  // MARK: Decoding order

  private mutating func letThrough(into frames: inout [EncodedVideoFrame]) {
    while true {
      if let position = pictures.firstIndex(where: { isDecodable($0) }) {
        letThrough(pictures[position], into: &frames)
      } else if !skipHead() {
        return
      }
    }
  }

  /// Whether nothing can be missing between the last picture that was let through and this one.
  private func isNext(_ picture: Picture) -> Bool {
    if picture.range.lowerBound == next { return true }
    guard let id = picture.pictureID, let lastPictureID else { return false }
    // A sender with 7-bit ids goes from 127 to 0.
    return id == (lastPictureID &+ 1) & 0x7FFF || (lastPictureID == 127 && id == 0)
  }

  private func isNear(_ picture: Picture) -> Bool {
    guard let id = picture.pictureID, let lastPictureID else { return true }
    return (id &- lastPictureID) & 0x7F == (id &- lastPictureID) & 0x7FFF || id < 0x80
  }

  private func isDecodable(_ picture: Picture) -> Bool {
    if picture.isKeyFrame { return true }
    if isWaitingForKeyFrame { return false }
    guard let tl0PicIdx = picture.tl0PicIdx, let lastTL0PicIdx else { return isNext(picture) }
    // The base layer refers to nothing but itself, and its index has no holes. It wraps soon, though.
    if picture.temporalID == 0 { return tl0PicIdx == lastTL0PicIdx &+ 1 && isNear(picture) }
    guard tl0PicIdx == lastTL0PicIdx else { return false }
    return picture.isLayerSync || (picture.temporalID <= intactLayer && isNext(picture))
  }

  private mutating func letThrough(_ picture: Picture, into frames: inout [EncodedVideoFrame]) {
    var frame = assemble(picture)
    let wasNext = isNext(picture)
    drop(below: picture.range.upperBound + 1)
    if picture.isKeyFrame {
      let bytes = frame.data
      guard let header = try? VP8FrameHeader(parsing: bytes.span.bytes) else { return breakDecoding() }
      frame.width = header.width
      frame.height = header.height
      isWaitingForKeyFrame = false
      arrivingKeyFrame = nil
      intactLayer = Self.allLayers
    } else if picture.temporalID == 0 {
      if !wasNext { intactLayer = 0 }
    } else {
      // One that refers to the base layer only makes its own layer whole again, if none below it is broken.
      if !wasNext { intactLayer = 0 }
      if picture.temporalID == intactLayer + 1 { intactLayer = picture.temporalID }
    }
    lastPictureID = picture.pictureID
    lastTL0PicIdx = picture.tl0PicIdx
    if !frame.data.isEmpty { frames.append(frame) }
  }

  private func assemble(_ picture: Picture) -> EncodedVideoFrame {
    var byteCount = 0
    for index in picture.range { byteCount += position(index).map { slots[$0].data.count } ?? 0 }
    var data: [UInt8] = []
    data.reserveCapacity(byteCount)
    for index in picture.range {
      if let position = position(index) { data.append(contentsOf: slots[position].data) }
    }
    let timestamp = position(picture.range.lowerBound).map { slots[$0].timestamp } ?? 0
    return EncodedVideoFrame(
      data: data, isKeyFrame: picture.isKeyFrame, timestamp: timestamp, temporalID: picture.temporalID)
  }

  /// Moves past what stands first and can never be decoded; false if that is not so.
  private mutating func skipHead() -> Bool {
    guard !isWaitingForKeyFrame, let next, let position = position(next) else { return false }
    let packet = slots[position]
    if packet.isFiller {
      drop(below: next + 1)
      return true
    }
    if let picture = pictures.first, picture.range.lowerBound == next {
      // Of a higher layer: it refers to a picture that was passed over. Of the base layer: one is missing before it.
      if picture.temporalID == 0 || picture.tl0PicIdx == nil { breakDecoding() }
      drop(below: picture.range.upperBound + 1)
      return true
    }
    // The middle of a picture whose start is not there, or a start whose end is not: if no number is missing up to the
    // next picture, it never will be complete.
    guard let end = packet.startsPicture ? endOfDamage(from: next) : next + 1 else { return false }
    breakDecoding()
    drop(below: end)
    return true
  }

  /// The start of the next complete picture, if everything from `index` to there has come.
  private func endOfDamage(from index: Int64) -> Int64? {
    guard let end = pictures.first?.range.lowerBound else { return nil }
    return (index..<end).allSatisfy { position($0) != nil } ? end : nil
  }
}
