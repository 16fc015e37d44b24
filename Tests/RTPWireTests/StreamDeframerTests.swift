import MediaBase
import RTPWire
import Testing

/// Datagrams on streams (RFC 4571).
@Suite struct StreamDeframerTests {
  private static func framed(_ datagram: [UInt8]) -> [UInt8] {
    [UInt8(datagram.count >> 8), UInt8(datagram.count & 255)] + datagram
  }

  /// What comes out if the bytes arrive in pieces; `nil` at the end for an error.
  private static func read(_ bytes: [UInt8], pieces: () -> Int) -> [[UInt8]?] {
    var deframer = StreamDeframer()
    var seen: [[UInt8]?] = []
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + max(1, pieces()), bytes.count)
      var piece = Array(bytes[offset..<end])
      offset = end
      let isGood = piece.withUnsafeMutableBytes { memory in
        do throws(StreamDeframer.FramingError) {
          try deframer.receive(memory) { datagram in
            seen.append(Array(datagram))
            // A receiver decrypts in place.
            for place in datagram.indices { datagram[place] = 0xFF }
          }
          return true
        } catch { return false }
      }
      guard isGood else { return seen + [nil] }
    }
    return seen
  }

  @Test("whatever the pieces, each datagram comes out once, whole and in order", arguments: 0..<50 as Range<UInt64>)
  func pieces(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let datagrams = (0..<40).map { _ in
      (0..<Int.random(in: 1...(seed % 2 == 0 ? 40 : 2_048), using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    }
    let bytes = datagrams.flatMap(Self.framed)
    for longest in [1, 3, 100, 5_000, bytes.count] {
      #expect(Self.read(bytes) { Int.random(in: 1...longest, using: &random) } == datagrams)
    }
  }

  @Test("an empty datagram carries nothing, and does not end the stream")
  func empty() {
    let bytes = Self.framed([]) + Self.framed([1]) + Self.framed([]) + Self.framed([]) + Self.framed([2, 3])
    for piece in 1...bytes.count { #expect(Self.read(bytes) { piece } == [[1], [2, 3]]) }
  }

  @Test("what announces a datagram that is too long is no such stream; what came before counts")
  func tooLong() {
    let longest = [UInt8](repeating: 7, count: StreamDeframer.maximumByteCount)
    for wrong in [Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x08, 0x01], [0xFF, 0xFF, 0]] {
      let bytes = Self.framed(longest) + wrong + Self.framed([1])
      for piece in [1, 2, 7, bytes.count] { #expect(Self.read(bytes) { piece } == [longest, nil]) }
    }
  }

  @Test("a datagram without its end is not handed out")
  func unfinished() {
    for count in 0..<5 { #expect(Self.read(Array(Self.framed([1, 2, 3]).prefix(count))) { 1 } == []) }
  }
}
