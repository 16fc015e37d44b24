import MediaBase
import RTPWire
import Testing

@Suite struct PayloadTests {
  @Test func everyDescriptorReadsBackEqual() throws {
    for bits in 0..<64 {
      let descriptor = VP8PayloadDescriptor(
        isNonReference: bits & 1 != 0, startsPartition: bits & 2 != 0, partitionID: UInt8(bits % 8),
        pictureID: bits & 4 != 0 ? 0x7FFF : nil, tl0PicIdx: bits & 8 != 0 ? 255 : nil,
        temporalID: bits & 16 != 0 ? 3 : nil, isLayerSync: bits & 16 != 0, keyIndex: bits & 32 != 0 ? 31 : nil)
      let bytes = written { check(descriptor.write(into: &$0)) } + [0]
      let (parsed, byteCount) = try VP8PayloadDescriptor.parse(bytes.span.bytes)
      check(parsed == descriptor)
      check(byteCount == bytes.count - 1)
    }
  }

  @Test func sevenBitPictureIDIsRead() throws {
    let payload: [UInt8] = [0x90, 0x80, 0x17, 0xFF]
    let (descriptor, byteCount) = try VP8PayloadDescriptor.parse(payload.span.bytes)
    check(descriptor.pictureID == 0x17)
    check(byteCount == 3)
  }

  @Test func everyTruncationOfADescriptorIsRefused() {
    let payload: [UInt8] = [0x90, 0xF0, 0x81, 0x02, 0x03, 0x64]
    for length in 0..<payload.count {
      let part = Array(payload.prefix(length))
      #expect(throws: RTPParseError.truncated) { try VP8PayloadDescriptor.parse(part.span.bytes) }
    }
  }

  /// A descriptor may be all that a packet has.
  @Test func descriptorsWithoutDataAreValidAndNoKeyFrame() throws {
    for payload in [[0x10], [0x90, 0x00], [0x90, 0x80, 0x05]] as [[UInt8]] {
      let byteCount = try VP8PayloadDescriptor.parse(payload.span.bytes).byteCount
      check(byteCount == payload.count)
      #expect(throws: RTPParseError.truncated) { try frameHeader([]) }
    }
    for payload in [[0x80, 0x80], [0x80], [0x90, 0x80, 0x81]] as [[UInt8]] {
      #expect(throws: RTPParseError.truncated) { try VP8PayloadDescriptor.parse(payload.span.bytes) }
    }
  }

  @Test func keyFrameTellsItsSize() throws {
    let key: [UInt8] = [0x10, 0x02, 0x00, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01]
    let header = try VP8FrameHeader(parsing: key.span.bytes)
    check(header.isKeyFrame && header.width == 640 && header.height == 360)
    check(try !frameHeader([0x11, 0, 0]).isKeyFrame)
    #expect(throws: RTPParseError.invalidField) {
      try frameHeader([0x10, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    }
  }

  @Test func opusPacketTellsItsDuration() throws {
    check(try opusSampleCount([0x78]) == 960)  // hybrid fullband, 20 ms
    check(try opusSampleCount([0xE0]) == 120)  // CELT fullband, 2.5 ms
    check(try opusSampleCount([0x18]) == 2_880)  // SILK narrowband, 60 ms
    check(try opusSampleCount([0x7B, 0x03]) == 2_880)
    #expect(throws: RTPParseError.invalidField) { try opusSampleCount([0x7B, 0x00]) }
    #expect(throws: RTPParseError.invalidField) { try opusSampleCount([0x1B, 0x03]) }
    #expect(throws: RTPParseError.truncated) { try opusSampleCount([0x7B]) }
  }

  /// RFC 2198 section 4: two blocks with different offsets, and the packet's own encoding.
  @Test func redundantAudioTellsItsParts() throws {
    let payload: [UInt8] = [0xEF, 0x1E, 0x00, 0x03, 0xEF, 0x0F, 0x00, 0x02, 0x6F, 1, 1, 1, 2, 2, 3, 3, 3]
    let layout = try RedundantAudioLayout(parsing: payload.span.bytes)
    check(layout.primaryPayloadType == 111 && layout.primaryOffset == 14 && layout.redundantBlockCount == 2)
    let blocks = (-1...2).map { layout.redundantBlock($0, in: payload.span.bytes) }
    check(blocks[0] == nil && blocks[3] == nil)
    let newest = try #require(blocks[1])
    check(newest.payloadType == 111 && newest.timestampOffset == 960 && newest.range == 12..<14)
    let oldest = try #require(blocks[2])
    check(oldest.payloadType == 111 && oldest.timestampOffset == 1_920 && oldest.range == 9..<12)
  }

  @Test func everyTruncationOfRedundancyIsRefused() {
    let payload: [UInt8] = [0xEF, 0x1E, 0x00, 0x03, 0xEF, 0x0F, 0x00, 0x02, 0x6F, 1, 1, 1, 2, 2]
    for length in 0..<payload.count {
      let part = Array(payload.prefix(length))
      #expect(throws: RTPParseError.truncated) { try RedundantAudioLayout(parsing: part.span.bytes) }
    }
    let endless = [UInt8](repeating: 0x80, count: 1_000)
    #expect(throws: RTPParseError.invalidField) { try RedundantAudioLayout(parsing: endless.span.bytes) }
  }
}
