import MediaBase
import RTPWire
import Testing

@Suite struct RTPPacketTests {
  /// 12 bytes of header with one CSRC, a one-byte extension block with elements 1 and 3, then payload and padding.
  static let packet: [UInt8] =
    [0xB1, 0xE0, 0x12, 0x34, 0x01, 0x02, 0x03, 0x04, 0xAA, 0xBB, 0xCC, 0xDD]
    + [0x11, 0x22, 0x33, 0x44]
    + [0xBE, 0xDE, 0x00, 0x02, 0x10, 0x8F, 0x00, 0x31, 0x00, 0x07, 0x00, 0x00]
    + [0x01, 0x02, 0x03] + [0x00, 0x02]

  @Test func everyPartIsFoundWhereItLies() throws {
    let layout = try RTPPacketLayout(parsing: Self.packet.span.bytes)
    check(
      layout.header
        == RTPHeader(marker: true, payloadType: 96, sequenceNumber: 0x1234, timestamp: 0x0102_0304, ssrc: 0xAABB_CCDD))
    check(layout.csrcCount == 1)
    check(layout.headerLength == 28)
    check(layout.payloadRange == 28..<31)
    check(layout.paddingLength == 2)
    check(layout.headerExtension(id: 1, in: Self.packet.span.bytes) == 21..<22)
    check(layout.headerExtension(id: 3, in: Self.packet.span.bytes) == 24..<26)
    check(layout.headerExtension(id: 2, in: Self.packet.span.bytes) == nil)
  }

  @Test func paddingOfAnEncryptedPacketIsNotRead() throws {
    let layout = try RTPPacketLayout(parsing: Self.packet.span.bytes, encrypted: true)
    check(layout.payloadRange == 28..<33)
    check(layout.paddingLength == 0)
  }

  @Test func twoByteElementsAreFound() throws {
    let packet: [UInt8] =
      [0x90, 0x60, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] + [0x10, 0x00, 0, 2, 5, 0, 0, 20, 3, 1, 2, 3]
    let layout = try RTPPacketLayout(parsing: packet.span.bytes)
    check(layout.headerExtension(id: 5, in: packet.span.bytes) == 18..<18)
    check(layout.headerExtension(id: 20, in: packet.span.bytes) == 21..<24)
  }

  @Test func malformedPacketsAreRefusedForTheirReason() {
    func failure(_ bytes: [UInt8]) -> RTPParseError? {
      do {
        _ = try RTPPacketLayout(parsing: bytes.span.bytes)
        return nil
      } catch {
        return error
      }
    }
    check(failure([]) == .truncated)
    check(failure(Array(Self.packet.prefix(11))) == .truncated)
    check(failure(Array(Self.packet.prefix(27))) == .truncated)
    check(failure([0x40] + Self.packet.dropFirst()) == .unsupportedVersion)
    check(failure(Self.packet.dropLast() + [0]) == .invalidPadding)
    check(failure(Self.packet.dropLast() + [6]) == .invalidPadding)
  }

  @Test func writtenHeaderAndExtensionsReadBackEqual() throws {
    let header = RTPHeader(payloadType: 111, sequenceNumber: 65_535, timestamp: .max, ssrc: 7)
    let bytes = written { output in
      check(header.write(into: &output, hasExtension: true))
      RTPHeaderExtension.writePrefix(elementBytes: 5, into: &output)
      RTPHeaderExtension.writeAudioLevel(id: 1, level: 30, voice: true, into: &output)
      RTPHeaderExtension.writeTransportSequenceNumber(id: 3, 0xFFFE, into: &output)
      RTPHeaderExtension.writePadding(elementBytes: 5, into: &output)
    }
    check(bytes.count == RTPHeader.byteCount + RTPHeaderExtension.blockByteCount(elementBytes: 5))
    let layout = try RTPPacketLayout(parsing: bytes.span.bytes)
    check(layout.header == header)
    let levelRange = layout.headerExtension(id: 1, in: bytes.span.bytes)
    let level = try #require(levelRange)
    check(bytes[level] == [0x80 | 30])
    let numberRange = layout.headerExtension(id: 3, in: bytes.span.bytes)
    let number = try #require(numberRange)
    check(bytes[number] == [0xFF, 0xFE])
    check(written(capacity: 11) { check(!header.write(into: &$0)) }.isEmpty)
  }

  /// RFC 8285 section 4.2: pads between elements, id 15, and id 0 with a length.
  @Test func nothingBehindTheEndOfOneByteElementsIsLookedAt() throws {
    func found(_ elements: [UInt8]) throws -> [UInt8: [UInt8]] {
      let packet: [UInt8] =
        [0x90, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0xBE, 0xDE, 0, UInt8(elements.count / 4)] + elements + [0xAA]
      let layout = try RTPPacketLayout(parsing: packet.span.bytes)
      check(packet[layout.payloadRange] == [0xAA])
      return (UInt8(0)...15).reduce(into: [:]) { result, id in
        if let range = layout.headerExtension(id: id, in: packet.span.bytes) { result[id] = Array(packet[range]) }
      }
    }
    #expect(try found([0x10, 7, 0, 0x20, 8, 0, 0, 0]) == [1: [7], 2: [8]])
    #expect(try found([0, 0, 0, 0x10, 7, 0, 0x31, 8, 9, 0, 0, 0]) == [1: [7], 3: [8, 9]])
    #expect(try found([0x10, 7, 0xF0, 0x20, 8, 0, 0, 0]) == [1: [7]])
    #expect(try found([0x10, 7, 0x01, 0x20, 8, 0x20, 9, 0]) == [1: [7]])
    #expect(try found([0x1F, 7, 0, 0]) == [:])
  }

  /// A packet may have extensions and no payload.
  @Test func aPacketMayEndBehindItsExtensions() throws {
    let packet: [UInt8] = [0x90, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0xBE, 0xDE, 0, 1, 0x21, 7, 8, 0]
    let layout = try RTPPacketLayout(parsing: packet.span.bytes)
    check(layout.payloadRange.isEmpty && layout.headerExtension(id: 2, in: packet.span.bytes) == 17..<19)
  }

  @Test func elementsOfEitherFormReadBackEqual() throws {
    for isLong in [false, true] {
      let elements: [(id: UInt8, data: [UInt8])] = [
        (1, [1]), (14, Array(1...16)), (isLong ? 255 : 5, Array(1...3)), (isLong ? 15 : 6, [9]),
      ]
      let byteCount = elements.reduce(0) { $0 + $1.data.count + (isLong ? 2 : 1) }
      let bytes = written { output in
        check(
          RTPHeader(payloadType: 96, sequenceNumber: 1, timestamp: 1, ssrc: 1).write(into: &output, hasExtension: true))
        RTPHeaderExtension.writePrefix(elementBytes: byteCount, twoByteForm: isLong, into: &output)
        for (id, data) in elements {
          RTPHeaderExtension.writeElement(id: id, byteCount: data.count, twoByteForm: isLong, into: &output)
          for byte in data { output.append(byte) }
        }
        RTPHeaderExtension.writePadding(elementBytes: byteCount, into: &output)
      }
      check(bytes.count == RTPHeader.byteCount + RTPHeaderExtension.blockByteCount(elementBytes: byteCount))
      let layout = try RTPPacketLayout(parsing: bytes.span.bytes)
      for (id, data) in elements {
        check(layout.headerExtension(id: id, in: bytes.span.bytes).map { Array(bytes[$0]) } == data)
      }
    }
  }

  @Test func sendTimesAreSecondsOfAMinuteAndALittle() {
    check(RTPHeaderExtension.sendTime(of: MediaInstant(nanoseconds: 0)) == 0)
    check(RTPHeaderExtension.sendTime(of: MediaInstant(nanoseconds: 1_000_000_000)) == 1 << 18)
    check(RTPHeaderExtension.sendTime(of: MediaInstant(nanoseconds: 63_999_999_999)) == 0xFF_FFFF)
    check(RTPHeaderExtension.sendTime(of: MediaInstant(nanoseconds: 64_500_000_000)) == 1 << 17)
    check(RTPHeaderExtension.sendTime(of: MediaInstant(nanoseconds: .max)) <= 0xFF_FFFF)
    check(RTPHeaderExtension.sendTime(of: MediaInstant(nanoseconds: .min)) <= 0xFF_FFFF)
  }

  @Test func datagramsAreToldApartByTheirFirstBytes() {
    check(kind(of: [0x00, 0x01]) == .stun)
    check(kind(of: [22, 254]) == .dtls)
    check(kind(of: [0x80, 0xE0]) == .rtp)
    check(kind(of: [0x80, 200]) == .rtcp)
    check(kind(of: [0xFF, 0]) == .unknown)
    check(kind(of: [0x80]) == .unknown)
  }

  @Test func randomBytesNeverTrapAndRangesStayInside() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if !bytes.isEmpty, Bool.random(using: &random) { bytes[0] = 0x80 | bytes[0] & 0x3F }
      let span = bytes.span.bytes
      if let layout = try? RTPPacketLayout(parsing: span) {
        check(layout.payloadRange.upperBound + layout.paddingLength == bytes.count)
        for id in UInt8(0)...255 {
          guard let range = layout.headerExtension(id: id, in: span) else { continue }
          check(
            layout.extensionRange.lowerBound <= range.lowerBound && range.upperBound <= layout.extensionRange.upperBound
          )
        }
      }
      if let (_, byteCount) = try? VP8PayloadDescriptor.parse(span) { check(byteCount <= bytes.count) }
      _ = try? VP8FrameHeader(parsing: span)
      if let samples = try? OpusTOC.sampleCount(of: span) { check((120...5_760).contains(samples)) }
    }
  }
}
