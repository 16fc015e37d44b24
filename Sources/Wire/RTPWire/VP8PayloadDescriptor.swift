import MediaBase

/// What precedes VP8 data in each packet (RFC 7741 section 4.2).
public struct VP8PayloadDescriptor: Hashable, Sendable {
  /// N: the picture can be dropped without harm to others.
  public var isNonReference: Bool
  /// S: a partition starts in this packet.
  public var startsPartition: Bool
  /// PID: the partition, 0 to 7.
  public var partitionID: UInt8
  /// I: 15 bits (or 7, when received so); `nil` if absent.
  public var pictureID: UInt16?
  /// L: running index of base-layer pictures; `nil` if absent.
  public var tl0PicIdx: UInt8?
  /// T: temporal layer, 0 to 3; `nil` if absent.
  public var temporalID: UInt8?
  /// Y: depends on the base layer only.
  public var isLayerSync: Bool
  /// K: temporal key picture index, 0 to 31; `nil` if absent.
  public var keyIndex: UInt8?

  /// Makes a descriptor.
  public init(
    isNonReference: Bool = false, startsPartition: Bool, partitionID: UInt8 = 0, pictureID: UInt16? = nil,
    tl0PicIdx: UInt8? = nil, temporalID: UInt8? = nil, isLayerSync: Bool = false, keyIndex: UInt8? = nil
  ) {
    self.isNonReference = isNonReference
    self.startsPartition = startsPartition
    self.partitionID = partitionID
    self.pictureID = pictureID
    self.tl0PicIdx = tl0PicIdx
    self.temporalID = temporalID
    self.isLayerSync = isLayerSync
    self.keyIndex = keyIndex
  }

  /// The longest descriptor, in bytes.
  public static let maximumByteCount = 6

  /// Appends the descriptor, with a picture id of 15 bits. Returns false, and appends nothing, when there is no room.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan) -> Bool {
    guard output.freeCapacity >= Self.maximumByteCount else { return false }
    let hasLayerByte = temporalID != nil || keyIndex != nil
    let extended = pictureID != nil || tl0PicIdx != nil || hasLayerByte
    output.append(
      (extended ? 0x80 : 0) | (isNonReference ? 0x20 : 0) | (startsPartition ? 0x10 : 0) | (partitionID & 0x07))
    guard extended else { return true }
    output.append(
      (pictureID == nil ? 0 : 0x80) | (tl0PicIdx == nil ? 0 : 0x40) | (temporalID == nil ? 0 : 0x20)
        | (keyIndex == nil ? 0 : 0x10))
    if let pictureID { output.appendBigEndian(0x8000 | pictureID) }
    if let tl0PicIdx { output.append(tl0PicIdx) }
    if hasLayerByte {
      output.append(((temporalID ?? 0) & 0x03) &<< 6 | (isLayerSync ? 0x20 : 0) | (keyIndex ?? 0) & 0x1F)
    }
    return true
  }

  /// Parses the descriptor at the start of an RTP payload; `byteCount` is its length, where the VP8 data begins. There may be
  /// none.
  public static func parse(
    _ payload: RawSpan
  ) throws(RTPParseError) -> (descriptor: VP8PayloadDescriptor, byteCount: Int) {
    guard payload.byteCount >= 1 else { throw .truncated }
    let first = payload.uint8(at: 0)
    var result = VP8PayloadDescriptor(
      isNonReference: first & 0x20 != 0, startsPartition: first & 0x10 != 0, partitionID: first & 0x07)
    var offset = 1
    if first & 0x80 != 0 { offset = try result.parseExtension(payload) }
    return (result, offset)
  }

  /// Reads from the second byte on; returns the offset after the descriptor.
  private mutating func parseExtension(_ payload: RawSpan) throws(RTPParseError) -> Int {
    guard payload.byteCount >= 2 else { throw .truncated }
    let flags = payload.uint8(at: 1)
    var offset = 2
    if flags & 0x80 != 0 {
      guard offset < payload.byteCount else { throw .truncated }
      let short = payload.uint8(at: offset)
      if short & 0x80 == 0 {
        pictureID = UInt16(short)
        offset += 1
      } else {
        guard offset + 2 <= payload.byteCount else { throw .truncated }
        pictureID = payload.uint16(at: offset) & 0x7FFF
        offset += 2
      }
    }
    if flags & 0x40 != 0 {
      guard offset < payload.byteCount else { throw .truncated }
      tl0PicIdx = payload.uint8(at: offset)
      offset += 1
    }
    if flags & 0x30 != 0 {
      guard offset < payload.byteCount else { throw .truncated }
      let layers = payload.uint8(at: offset)
      if flags & 0x20 != 0 {
        temporalID = layers &>> 6
        isLayerSync = layers & 0x20 != 0
      }
      if flags & 0x10 != 0 { keyIndex = layers & 0x1F }
      offset += 1
    }
    return offset
  }
}
