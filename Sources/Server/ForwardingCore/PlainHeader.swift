import MediaBase
import RTPWire

/// What the headers of a stream to one subscriber have in common, where packets have the transport-wide number and the
/// audio level at most, in the one-byte form (RFC 8285 section 4.2).
struct PlainHeader: BitwiseCopyable {
  private let ssrc: UInt32
  /// The first word without marker and sequence number; the X bit is added where there are elements.
  private let first: UInt32
  /// The element of the transport-wide number without the number, in the highest bytes; 0 without.
  private let number: UInt32
  /// What stands before the audio level; 0 without.
  private let level: UInt32

  init(_ format: ForwardedFormat, _ kind: TrackKind, ssrc: UInt32) {
    self.ssrc = ssrc
    let payloadType = kind == .video ? format.vp8PayloadType : format.opusPayloadType
    first = 0x8000_0000 | UInt32(payloadType & 0x7F) &<< 16
    let id = format.transportSequenceExtensionID
    number = id == 0 ? 0 : UInt32(id &<< 4 | 1) &<< 24
    level = UInt32(format.audioLevelExtensionID &<< 4)
  }

  private func hasLevel(_ record: PacketRecord) -> Bool { level != 0 && record.audioLevel != PacketRecord.noLevel }

  /// Bytes before the payload of a packet like `record`.
  @inline(__always)
  func length(of record: PacketRecord) -> Int {
    guard hasLevel(record) else { return number == 0 ? RTPHeader.byteCount : RTPHeader.byteCount + 8 }
    return number == 0 ? RTPHeader.byteCount + 8 : RTPHeader.byteCount + 12
  }

  /// Writes `length(of: record)` bytes, for which there is room.
  @inline(__always)
  func write(
    _ record: PacketRecord, sequenceNumber: UInt16, timestamp: UInt32, transportSequenceNumber: UInt16,
    to packet: UnsafeMutableRawPointer
  ) {
    let hasLevel = hasLevel(record)
    let extensionBit: UInt32 = number != 0 || hasLevel ? 0x1000_0000 : 0
    let marker: UInt32 = record.marker ? 0x80_0000 : 0
    store(first | extensionBit | marker | UInt32(sequenceNumber), packet, 0)
    store(timestamp, packet, 4)
    store(ssrc, packet, 8)
    let profile = UInt32(RTPHeaderExtension.oneByteProfile) &<< 16
    if number != 0 {
      let element = number | UInt32(transportSequenceNumber) &<< 8
      store(profile | (hasLevel ? 2 : 1), packet, 12)
      store(hasLevel ? element | level : element, packet, 16)
      if hasLevel { store(UInt32(record.audioLevel) &<< 24, packet, 20) }
    } else if hasLevel {
      store(profile | 1, packet, 12)
      store(level &<< 24 | UInt32(record.audioLevel) &<< 16, packet, 16)
    }
  }

  private func store(_ word: UInt32, _ packet: UnsafeMutableRawPointer, _ offset: Int) {
    packet.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
  }
}
