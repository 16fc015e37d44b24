import ForwardingCore
import MediaBase
import PeerTransport
import RTPWire

/// What a made-up picture is: written into its packets, so that receivers can be checked.
struct MadePicture: Hashable {
  var layer: UInt8
  var number: UInt32
  var isKey: Bool
  var temporalID: UInt8
  var references: [UInt32]

  /// What every packet of the picture carries behind descriptor and VP8 header.
  func body(part: Int, of count: Int) -> [UInt8] {
    var bytes: [UInt8] = [layer, isKey ? 1 : 0, temporalID, UInt8(part), UInt8(count), UInt8(references.count)]
    for value in [number] + references { bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    return bytes
  }

  /// Reads it back.
  static func parse(_ payload: [UInt8]) -> (picture: MadePicture, part: Int, count: Int)? {
    guard let (descriptor, length) = try? VP8PayloadDescriptor.parse(payload.span.bytes) else { return nil }
    let start = length + (descriptor.startsPartition ? (payload[length] & 1 == 0 ? 10 : 3) : 0)
    guard payload.count >= start + 10 else { return nil }
    let bytes = payload[start...]
    func number(_ position: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + 6 + 4 * position + $1]) }
    }
    let picture = MadePicture(
      layer: bytes[start], number: number(0), isKey: bytes[start + 1] == 1, temporalID: bytes[start + 2],
      references: (0..<Int(bytes[start + 5])).map { number($0 + 1) })
    return (picture, Int(bytes[start + 3]), Int(bytes[start + 4]))
  }
}

/// One encoding of a made-up video, with up to three temporal layers in the order 0, 2, 1, 2.
struct LayerEncoder {
  let layer: UInt8
  var ssrc: UInt32
  let rtxSSRC: UInt32
  let width: UInt16
  var temporalLayers: Int
  var hasShortPictureIDs = false
  /// Of the header extension that names the stream, with the restriction id; written if not empty.
  var elements: [UInt8] = []
  var rtxElements: [UInt8] = []
  var usesTwoByteForm = false
  var packetCount = 2
  /// Makes packets longer.
  var extraByteCount = 0

  var sequenceNumber: UInt16
  var pictureID: UInt16
  var tl0PicIdx: UInt8
  /// Added to the time of the picture.
  let timestampBase: UInt32
  var wantsKeyFrame = true
  private var number: UInt32 = 0
  private var position = 0
  private var last: [UInt8: UInt32] = [:]
  /// What was sent, to be sent again.
  private(set) var sent: [UInt16: (header: RTPHeader, payload: [UInt8])] = [:]
  private var rtxSequenceNumber: UInt16 = 30_000

  init(layer: UInt8, ssrc: UInt32, rtxSSRC: UInt32, width: UInt16, temporalLayers: Int, random: inout SeededRandom) {
    self.layer = layer
    self.ssrc = ssrc
    self.rtxSSRC = rtxSSRC
    self.width = width
    self.temporalLayers = temporalLayers
    sequenceNumber = UInt16.random(in: 0...UInt16.max, using: &random)
    pictureID = UInt16.random(in: 0...0x7FFF, using: &random)
    tl0PicIdx = UInt8.random(in: 0...UInt8.max, using: &random)
    timestampBase = UInt32.random(in: 0...UInt32.max, using: &random)
  }

  /// The next picture as RTP packets that are not encrypted.
  mutating func encode(at now: MediaInstant, random: inout SeededRandom) -> [(RTPHeader, [UInt8])] {
    let isKey = wantsKeyFrame
    wantsKeyFrame = false
    if isKey { position = 0 }
    let temporalID: UInt8
    switch (temporalLayers, position % 4) {
    case (3, 1), (3, 3): temporalID = 2
    case (3, 2): temporalID = 1
    case (2, 1), (2, 3): temporalID = 1
    default: temporalID = 0
    }
    var references: [UInt32] = []
    var isSync = false
    if !isKey {
      if let base = last[0] { references.append(base) }
      // Now and then a picture of the middle layer needs the base layer only.
      isSync = temporalID > 0 && (position % 4 == 1 || Int.random(in: 0..<3, using: &random) == 0)
      if temporalID > 0, !isSync, let middle = last[1] { references.append(middle) }
    }
    position += 1
    number += 1
    pictureID = (pictureID &+ 1) & 0x7FFF
    if temporalID == 0 { tl0PicIdx &+= 1 }
    let isTop = temporalLayers > 1 && Int(temporalID) == temporalLayers - 1
    let isReference = !isTop || temporalLayers == 2
    if isKey { last = [0: number] } else if isReference { last[temporalID] = number }
    let picture = MadePicture(
      layer: layer, number: number, isKey: isKey, temporalID: temporalID, references: references)
    return packets(of: picture, isSync: isSync, isReference: isReference, at: now)
  }

  private mutating func packets(
    of picture: MadePicture, isSync: Bool, isReference: Bool, at now: MediaInstant
  ) -> [(RTPHeader, [UInt8])] {
    (0..<packetCount).map { part in
      let descriptor = VP8PayloadDescriptor(
        isNonReference: !isReference, startsPartition: part == 0, pictureID: pictureID,
        tl0PicIdx: temporalLayers > 1 ? tl0PicIdx : nil, temporalID: temporalLayers > 1 ? picture.temporalID : nil,
        isLayerSync: isSync)
      var payload = written { _ = descriptor.write(into: &$0) }
      if hasShortPictureIDs { payload.replaceSubrange(2..<4, with: [UInt8(truncatingIfNeeded: pictureID & 0x7F)]) }
      if part == 0 {
        let size = [UInt8(truncatingIfNeeded: width), UInt8(width >> 8)]
        payload += picture.isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A] + size + size : [0x11, 0, 0]
      }
      payload += picture.body(part: part, of: packetCount)
      payload += repeatElement(0x55, count: extraByteCount)
      let header = RTPHeader(
        marker: part == packetCount - 1, payloadType: 96, sequenceNumber: sequenceNumber,
        timestamp: timestampBase &+ UInt32(truncatingIfNeeded: now.nanoseconds / 1_000 * 9 / 100), ssrc: ssrc)
      sent[sequenceNumber] = (header, payload)
      sent[sequenceNumber &- 2_000] = nil
      sequenceNumber &+= 1
      return (header, payload)
    }
  }

  /// A packet again, as RFC 4588 says.
  mutating func retransmission(of sequenceNumber: UInt16) -> (RTPHeader, [UInt8])? {
    guard let original = sent[sequenceNumber] else { return nil }
    var header = original.header
    header.payloadType = 97
    header.ssrc = rtxSSRC
    header.sequenceNumber = rtxSequenceNumber
    rtxSequenceNumber &+= 1
    return (header, [UInt8(sequenceNumber >> 8), UInt8(truncatingIfNeeded: sequenceNumber)] + original.payload)
  }
}

extension TestPeer {
  /// Encrypts an RTP packet with elements of a header extension.
  func sealed(_ header: RTPHeader, elements: [UInt8], twoByte: Bool, payload: [UInt8]) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1_600)
    let count = buffer.withUnsafeMutableBytes { bytes in
      var output = OutputRawSpan(buffer: bytes, initializedCount: 0)
      _ = header.write(into: &output, hasExtension: !elements.isEmpty)
      if !elements.isEmpty {
        output.appendBigEndian(twoByte ? RTPHeaderExtension.twoByteProfile : RTPHeaderExtension.oneByteProfile)
        output.appendBigEndian(UInt16((elements.count + 3) / 4))
        for byte in elements { output.append(byte) }
        RTPHeaderExtension.writePadding(elementBytes: elements.count, into: &output)
      }
      for byte in payload { output.append(byte) }
      let length = output.finalize(for: bytes)
      return transport.protectRTP(bytes, length: length) ?? 0
    }
    return Array(buffer[..<count])
  }
}

/// An element of a header extension.
func element(_ id: UInt8, _ value: String, twoByte: Bool = false) -> [UInt8] {
  (twoByte ? [id, UInt8(value.utf8.count)] : [id << 4 | UInt8(value.utf8.count - 1)]) + Array(value.utf8)
}
