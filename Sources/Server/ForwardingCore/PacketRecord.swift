import MediaBase
import RTPWire

/// What is known of a packet in the history, besides its payload.
struct PacketRecord: BitwiseCopyable {
  /// The unwrapped sequence number; -1 in an empty place.
  var index: Int64 = -1
  /// When it came, as a count of the stream's packets.
  var arrival: UInt64 = 0
  var timestamp: UInt32 = 0
  var payloadLength: UInt16 = 0
  /// Where the packet's own encoding begins in a payload of redundant audio (RFC 2198); 0 in other payloads.
  var primaryOffset: UInt16 = 0
  var marker = false
  /// The first packet of a picture that can be decoded without others.
  var startsKeyFrame = false
  /// The value of the audio level extension, or `noLevel`.
  var audioLevel: UInt8 = Self.noLevel
  /// The value of the orientation extension, or `PacketExtras.noOrientation`.
  var orientation = PacketExtras.noOrientation
  /// Bytes of the capture time, which lies in the history; 0 without.
  var captureTimeByteCount: UInt8 = 0
  /// Where the picture id, of 15 bits, lies in the payload; 0 if there is none.
  var pictureIDOffset: UInt8 = 0
  /// `temporalMask`, `startsPictureBit`, `isLayerSyncBit` and `isNonReferenceBit`.
  private var layerBits: UInt8 = 0
  /// Where TL0PICIDX lies in the payload; 0 if there is none.
  var tl0PicIdxOffset: UInt8 = 0
  /// As the publisher wrote it: each subscriber overwrites the bytes in the payload.
  var pictureID: UInt16 = 0
  /// As the publisher wrote it.
  var tl0PicIdx: UInt8 = 0

  static let noLevel: UInt8 = 0xFF

  private static let temporalMask: UInt8 = 0x03
  private static let startsPictureBit: UInt8 = 0x04
  private static let isLayerSyncBit: UInt8 = 0x08
  private static let isNonReferenceBit: UInt8 = 0x10

  /// 0 in streams without temporal layers.
  var temporalID: UInt8 { layerBits & Self.temporalMask }
  /// The first packet of a picture.
  var startsPicture: Bool { layerBits & Self.startsPictureBit != 0 }
  /// The picture needs the base layer only.
  var isLayerSync: Bool { layerBits & Self.isLayerSyncBit != 0 }
  /// No other picture needs this one.
  var isNonReference: Bool { layerBits & Self.isNonReferenceBit != 0 }
  /// Whether it is known to which picture it belongs.
  var hasPictureID: Bool { pictureIDOffset != 0 }

  /// Notes what of a VP8 payload (RFC 7741 section 4.2) is needed to rewrite it and to choose layers, and returns the
  /// picture's header if it starts here. A payload that does not parse is forwarded as it is.
  mutating func examineVP8(_ payload: RawSpan) -> VP8FrameHeader? {
    guard let (descriptor, length) = try? VP8PayloadDescriptor.parse(payload) else { return nil }
    var offset: UInt8 = 2
    if let pictureID = descriptor.pictureID {
      self.pictureID = pictureID
      pictureIDOffset = offset
      offset += 2
    }
    if let tl0PicIdx = descriptor.tl0PicIdx {
      self.tl0PicIdx = tl0PicIdx
      tl0PicIdxOffset = offset
    }
    layerBits =
      (descriptor.temporalID ?? 0) & Self.temporalMask | (descriptor.isLayerSync ? Self.isLayerSyncBit : 0)
      | (descriptor.isNonReference ? Self.isNonReferenceBit : 0)
    guard descriptor.startsPartition, descriptor.partitionID == 0 else { return nil }
    layerBits |= Self.startsPictureBit
    let header = try? VP8FrameHeader(parsing: payload.extracting(length..<payload.byteCount))
    startsKeyFrame = header?.isKeyFrame ?? false
    return header
  }

  /// Whether a VP8 payload has a picture id of 7 bits, and which.
  static func shortPictureID(in payload: RawSpan) -> UInt8? {
    guard payload.byteCount >= 3, payload.uint8(at: 0) & 0x80 != 0, payload.uint8(at: 1) & 0x80 != 0,
      payload.uint8(at: 2) & 0x80 == 0
    else { return nil }
    return payload.uint8(at: 2)
  }
}
