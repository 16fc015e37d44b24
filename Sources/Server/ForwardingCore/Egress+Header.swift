import MediaBase
import RTPWire

/// Which header extension elements a packet carries to a subscriber. The packets of a stream carry the same ones but for
/// what single frames have, so that a run of them has one size.
struct HeaderElements: BitwiseCopyable {
  /// Packets with more leave out the capture time, so that they fit the path.
  private static let longestPayloadWithCaptureTime: UInt16 = 1_350

  private(set) var byteCount = 0
  private(set) var hasLevel = false
  private(set) var hasSendTime = false
  private(set) var hasPlayoutDelay = false
  private(set) var hasOrientation = false
  private(set) var mediaID = MediaIDText()
  private(set) var captureTimeByteCount: UInt8 = 0

  /// - Parameter isAcknowledged: whether the receiver has shown that it gets the stream: what it has to be told once is left
  ///   out then.
  init(_ record: PacketRecord, _ kind: TrackKind, isAcknowledged: Bool, _ format: ForwardedFormat) {
    if format.transportSequenceExtensionID != 0 { add(2, format) }
    if record.audioLevel != PacketRecord.noLevel, format.audioLevelExtensionID != 0 {
      hasLevel = true
      add(1, format)
    }
    let extensions = format.extensions
    if extensions.sendTimeID != 0 {
      hasSendTime = true
      add(3, format)
    }
    if !isAcknowledged { addIntroduction(kind, format) }
    if record.orientation != PacketExtras.noOrientation, extensions.orientationID != 0 {
      hasOrientation = true
      add(1, format)
    }
    if record.captureTimeByteCount != 0, extensions.captureTimeID != 0,
      record.payloadLength <= Self.longestPayloadWithCaptureTime
    {
      captureTimeByteCount = record.captureTimeByteCount
      add(Int(captureTimeByteCount), format)
    }
  }

  private mutating func addIntroduction(_ kind: TrackKind, _ format: ForwardedFormat) {
    let extensions = format.extensions
    if kind == .video, extensions.playoutDelayID != 0 {
      hasPlayoutDelay = true
      add(3, format)
    }
    if extensions.receivedMediaIDID != 0 {
      mediaID = kind == .video ? extensions.videoMediaID : extensions.audioMediaID
      if mediaID.byteCount > 0 { add(Int(mediaID.byteCount), format) }
    }
  }

  private mutating func add(_ count: Int, _ format: ForwardedFormat) {
    byteCount += count + (format.extensions.usesTwoByteForm ? 2 : 1)
  }

  /// Bytes before the payload: fixed part and extension block.
  var headerLength: Int { byteCount == 0 ? RTPHeader.byteCount : RTPHeader.byteCount + 4 + (byteCount + 3) & ~3 }
}

extension Egress {
  /// The elements of a packet like `record`.
  func elements(of record: PacketRecord, _ format: ForwardedFormat) -> HeaderElements {
    HeaderElements(record, kind, isAcknowledged: isAcknowledged, format)
  }

  /// Bytes before the payload of a packet like `record`: fixed part and extension block.
  func headerLength(of record: PacketRecord, _ format: ForwardedFormat) -> Int {
    elements(of: record, format).headerLength
  }

  /// Writes the header of a packet at the start of `region` and returns its length; the caller has checked for room.
  ///
  /// - Parameter captureTime: where the record's capture time lies.
  func writeHeader(
    _ header: RTPHeader, of record: PacketRecord, captureTime: UnsafeRawPointer?, transportSequenceNumber: UInt16,
    now: MediaInstant, into region: UnsafeMutableRawBufferPointer, _ format: ForwardedFormat
  ) -> Int {
    let elements = elements(of: record, format)
    var output = OutputRawSpan(buffer: region, initializedCount: 0)
    _ = header.write(into: &output, hasExtension: elements.byteCount > 0)
    guard elements.byteCount > 0 else { return output.finalize(for: region) }
    let isLong = format.extensions.usesTwoByteForm
    RTPHeaderExtension.writePrefix(elementBytes: elements.byteCount, twoByteForm: isLong, into: &output)
    if format.transportSequenceExtensionID != 0 {
      RTPHeaderExtension.writeElement(
        id: format.transportSequenceExtensionID, byteCount: 2, twoByteForm: isLong, into: &output)
      output.appendBigEndian(transportSequenceNumber)
    }
    if elements.hasLevel {
      RTPHeaderExtension.writeElement(
        id: format.audioLevelExtensionID, byteCount: 1, twoByteForm: isLong, into: &output)
      output.append(record.audioLevel)
    }
    Self.writeFurther(elements, of: record, captureTime: captureTime, now: now, format.extensions, into: &output)
    RTPHeaderExtension.writePadding(elementBytes: elements.byteCount, into: &output)
    return output.finalize(for: region)
  }

  @_lifetime(output: copy output)
  private static func writeFurther(
    _ elements: HeaderElements, of record: PacketRecord, captureTime: UnsafeRawPointer?, now: MediaInstant,
    _ extensions: ForwardedExtensions, into output: inout OutputRawSpan
  ) {
    let isLong = extensions.usesTwoByteForm
    if elements.hasSendTime {
      RTPHeaderExtension.writeElement(id: extensions.sendTimeID, byteCount: 3, twoByteForm: isLong, into: &output)
      output.appendBigEndian24(RTPHeaderExtension.sendTime(of: now))
    }
    if elements.hasPlayoutDelay {
      RTPHeaderExtension.writeElement(id: extensions.playoutDelayID, byteCount: 3, twoByteForm: isLong, into: &output)
      // No less and no more than nothing, in 10 ms.
      output.appendBigEndian24(0)
    }
    if elements.mediaID.byteCount > 0 {
      RTPHeaderExtension.writeElement(
        id: extensions.receivedMediaIDID, byteCount: Int(elements.mediaID.byteCount), twoByteForm: isLong, into: &output
      )
      for place in 0..<elements.mediaID.byteCount { output.append(elements.mediaID[place]) }
    }
    if elements.hasOrientation {
      RTPHeaderExtension.writeElement(id: extensions.orientationID, byteCount: 1, twoByteForm: isLong, into: &output)
      output.append(record.orientation)
    }
    guard elements.captureTimeByteCount > 0, let captureTime else { return }
    RTPHeaderExtension.writeElement(
      id: extensions.captureTimeID, byteCount: Int(elements.captureTimeByteCount), twoByteForm: isLong, into: &output)
    for offset in stride(from: 0, to: Int(elements.captureTimeByteCount), by: 8) {
      output.appendBigEndian(captureTime.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
