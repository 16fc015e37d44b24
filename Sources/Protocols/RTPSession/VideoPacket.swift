import MediaBase
import RTPWire

/// What the assembly of pictures needs to know of one packet.
struct VideoPacket {
  /// The VP8 data behind the descriptor; empty for packets that only pad.
  var data: [UInt8] = []
  var timestamp: UInt32 = 0
  /// Whether the picture ends here.
  var marker = false
  var startsPicture = false
  var isKeyFrame = false
  var pictureID: UInt16?
  var tl0PicIdx: UInt8?
  var temporalID: UInt8 = 0
  var isLayerSync = false
  /// Padding, or something else that has its place in the sequence and no part in a picture.
  var isFiller = true

  /// A place where nothing has come.
  init() {}

  /// A packet with VP8 in `payload`. One that ends within or behind its descriptor holds no data; it has its place in the sequence
  /// all the same.
  init(_ header: RTPHeader, payload: RawSpan) {
    timestamp = header.timestamp
    marker = header.marker
    guard let (descriptor, length) = try? VP8PayloadDescriptor.parse(payload), length < payload.byteCount else {
      return
    }
    isFiller = false
    data = payload.copy(length..<payload.byteCount)
    startsPicture = descriptor.startsPartition && descriptor.partitionID == 0
    isKeyFrame = startsPicture && payload.uint8(at: length) & 1 == 0  // RFC 7741 section 4.3, the P bit
    pictureID = descriptor.pictureID
    tl0PicIdx = descriptor.tl0PicIdx
    temporalID = descriptor.temporalID ?? 0
    isLayerSync = descriptor.isLayerSync
  }
}
