import MediaBase
import RTPWire

extension Egress {
  /// Bytes of the payload that a subscriber does not get: redundancy that it does not know.
  static func skippedLength(of record: PacketRecord, _ format: ForwardedFormat) -> Int {
    record.primaryOffset != 0 && format.redPayloadType == nil ? Int(record.primaryOffset) : 0
  }

  /// What a packet's payload is on the subscriber's connection.
  static func payloadType(of record: PacketRecord, _ kind: TrackKind, _ format: ForwardedFormat) -> UInt8 {
    guard kind == .audio else { return format.vp8PayloadType }
    return record.primaryOffset != 0 ? format.redPayloadType ?? format.opusPayloadType : format.opusPayloadType
  }

  /// Counts a packet as sent.
  @inline(__always)
  mutating func sent(_ record: PacketRecord, in segment: ForwardedSegment, now: MediaInstant) {
    packetCount &+= 1
    octetCount &+= UInt32(record.payloadLength)
    lastSendTime = now
    let sequence = segment.sequence(of: record)
    guard sequence > highestSequence else { return }
    highestSequence = sequence
    let timestamp = record.timestamp &- segment.timestampOffset
    if Int32(bitPattern: timestamp &- highestTimestamp) > 0 { highestTimestamp = timestamp }
    if record.pictureIDOffset != 0 {
      let pictureID = (record.pictureID &- segment.pictureIDOffset) & 0x7FFF
      if (pictureID &- highestPictureID) & 0x7FFF < 0x4000 { highestPictureID = pictureID }
    }
    if record.tl0PicIdxOffset != 0 {
      let tl0PicIdx = record.tl0PicIdx &- segment.tl0PicIdxOffset
      if tl0PicIdx &- highestTL0PicIdx < 0x80 { highestTL0PicIdx = tl0PicIdx }
    }
  }

  /// Writes the subscriber's payload type of Opus into the block headers of redundant audio (RFC 2198 section 3), as
  /// every subscriber who gets them does.
  static func rewriteRedundancy(
    _ payload: UnsafeMutableRawPointer, of record: PacketRecord, _ format: ForwardedFormat
  ) {
    guard record.primaryOffset != 0, format.redPayloadType != nil else { return }
    var position = 0
    while position < Int(record.primaryOffset) {
      let isRedundant = payload.load(fromByteOffset: position, as: UInt8.self) & 0x80 != 0
      payload.storeBytes(
        of: format.opusPayloadType | (isRedundant ? 0x80 : 0), toByteOffset: position, as: UInt8.self)
      if !isRedundant { return }
      position += 4
    }
  }
}

extension ForwardedSegment {
  /// Writes this subscriber's picture id and TL0PICIDX into the shared payload. Every subscriber overwrites the same
  /// bytes, so that nothing has to be put back. Most want what stands there: what has just been written costs whoever reads
  /// it next, in larger pieces, a wait for the store.
  @inline(__always)
  func rewritePayload(_ payload: UnsafeMutableRawPointer, of record: PacketRecord) {
    if record.pictureIDOffset != 0 {
      let pictureID = ((record.pictureID &- pictureIDOffset) & 0x7FFF | 0x8000).bigEndian
      let offset = Int(record.pictureIDOffset)
      if payload.loadUnaligned(fromByteOffset: offset, as: UInt16.self) != pictureID {
        payload.storeBytes(of: pictureID, toByteOffset: offset, as: UInt16.self)
      }
    }
    if record.tl0PicIdxOffset != 0 {
      let tl0PicIdx = record.tl0PicIdx &- tl0PicIdxOffset
      let offset = Int(record.tl0PicIdxOffset)
      if payload.load(fromByteOffset: offset, as: UInt8.self) != tl0PicIdx {
        payload.storeBytes(of: tl0PicIdx, toByteOffset: offset, as: UInt8.self)
      }
    }
  }
}
