import OpenSSLCrypto
import Testing

@testable import SecureChannel

let crypto = OpenSSLCrypto.provider

func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.filter { $0 != " " }.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Runs `body` on a copy of `packet` with `room` bytes behind it; returns the bytes it says the packet has now.
func edited(
  _ packet: [UInt8], room: Int = 32, _ body: (UnsafeMutableRawBufferPointer, Int) throws -> Int
) throws -> [UInt8] {
  var buffer = packet + [UInt8](repeating: 0xEE, count: room)
  let count = try buffer.withUnsafeMutableBytes { try body($0, packet.count) }
  return Array(buffer.prefix(count))
}

func rtpPacket(sequenceNumber: UInt16, ssrc: UInt8 = 9, payload: [UInt8] = [1, 2, 3, 4, 5]) -> [UInt8] {
  [0x80, 96, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 255), 0, 0, 0, 1, 0, 0, 0, ssrc] + payload
}

/// A header with two CSRCs and an extension block.
func longHeader(sequenceNumber: UInt16) -> [UInt8] {
  [0x92] + rtpPacket(sequenceNumber: sequenceNumber, payload: [])[1...]
    + [0, 0, 0, 1, 0, 0, 0, 2] + [0xBE, 0xDE, 0, 1, 0x10, 7, 0, 0]
}

/// A receiver report of 12 bytes.
let rtcpPacket: [UInt8] = [0x81, 201, 0, 2, 0, 0, 0, 9, 1, 2, 3, 4]

/// Key and salt of bytes that count from zero.
func material(_ profile: SRTPProtectionProfile) throws -> SRTPKeyMaterial {
  try #require(SRTPKeyMaterial(profile: profile, bytes: (0..<UInt8(profile.keyMaterialByteCount)).map { $0 }))
}

func makeSender(_ profile: SRTPProtectionProfile) throws -> SRTPSender {
  try SRTPSender(material: material(profile), crypto: crypto)
}

func makeReceiver(_ profile: SRTPProtectionProfile) throws -> SRTPReceiver {
  try SRTPReceiver(material: material(profile), crypto: crypto)
}
