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
  /// Where the picture id lies in the payload; 0 if there is none.
  var pictureIDOffset: UInt8 = 0
  /// Whether the picture id has 15 bits.
  var hasLongPictureID = false
  /// Where TL0PICIDX lies in the payload; 0 if there is none.
  var tl0PicIdxOffset: UInt8 = 0
  /// As the publisher wrote it: each subscriber overwrites the bytes in the payload.
  var pictureID: UInt16 = 0
  /// As the publisher wrote it.
  var tl0PicIdx: UInt8 = 0

  static let noLevel: UInt8 = 0xFF

  /// Notes what of a VP8 payload (RFC 7741 section 4.2) is needed to rewrite it. One that does not parse is forwarded as
  /// it is.
  mutating func examineVP8(_ payload: RawSpan) {
    guard let (descriptor, length) = try? VP8PayloadDescriptor.parse(payload) else { return }
    var offset: UInt8 = 2
    if let pictureID = descriptor.pictureID {
      self.pictureID = pictureID
      pictureIDOffset = offset
      hasLongPictureID = payload.unsafeLoad(fromByteOffset: 2, as: UInt8.self) & 0x80 != 0
      offset += hasLongPictureID ? 2 : 1
    }
    if let tl0PicIdx = descriptor.tl0PicIdx {
      self.tl0PicIdx = tl0PicIdx
      tl0PicIdxOffset = offset
    }
    if descriptor.startsPartition, descriptor.partitionID == 0 {
      let frame = payload.extracting(length..<payload.byteCount)
      startsKeyFrame = (try? VP8FrameHeader(parsing: frame))?.isKeyFrame ?? false
    }
  }
}
