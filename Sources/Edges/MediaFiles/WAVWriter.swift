import MediaBase
import PictureFiles

/// Writes sound to a WAV file (16-bit PCM). Used by one thread at a time.
///
/// The header is brought up to date once a second: if the program ends without closing the file, all but the last second of it
/// is played by whatever believes headers, and all of it by what does not.
public final class WAVWriter {
  private let file: StoredFile
  private let sampleRate: Int
  private let channelCount: Int
  /// Not a pipe, of which nothing can be taken back.
  private let isRegular: Bool
  private var dataByteCount = 0
  /// How much of it the header in the file speaks of.
  private var toldByteCount = 0
  private var isOpen = true

  /// The sizes in the header have 32 bits.
  private static let longestData = 0xFFFF_FF00 - 64

  /// Makes a file, or empties the one that is there; `sampleRate` is 8,000...192,000, `channelCount` 1 or 2.
  public init(path: String, sampleRate: Int = 48_000, channelCount: Int = 1) throws(MediaDeviceError) {
    guard (8_000...192_000).contains(sampleRate), channelCount == 1 || channelCount == 2 else {
      throw .unsupportedFormat(name: path, detail: "\(channelCount) channels at \(sampleRate) Hz cannot be written")
    }
    file = try StoredFile(writing: path)
    isRegular = file.byteCount != nil
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    try file.write(header)
  }

  deinit { try? close() }

  /// Appends samples, channels interleaved.
  public func write(_ samples: [Int16]) throws(MediaDeviceError) {
    guard dataByteCount + samples.count * 2 <= Self.longestData else {
      throw .unsupportedFormat(name: file.path, detail: "it has reached 4 GiB, the most that a WAV file can hold")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples { Self.append(UInt32(UInt16(bitPattern: sample)), byteCount: 2, to: &bytes) }
    try file.write(bytes)
    dataByteCount += bytes.count
    guard dataByteCount - toldByteCount >= sampleRate * channelCount * 2, isRegular else { return }
    try writeHeader()
    try file.seek(to: header.count + dataByteCount)
  }

  /// Completes the header and closes the file; happens by itself when the writer goes, then without errors. Idempotent.
  public func close() throws(MediaDeviceError) {
    guard isOpen else { return }
    isOpen = false
    if isRegular { try writeHeader() }
    try file.close()
  }

  private func writeHeader() throws(MediaDeviceError) {
    try file.seek(to: 0)
    try file.write(header)
    toldByteCount = dataByteCount
  }

  private var header: [UInt8] {
    var bytes = Array("RIFF".utf8)
    func number(_ value: Int, _ byteCount: Int) {
      Self.append(UInt32(truncatingIfNeeded: value), byteCount: byteCount, to: &bytes)
    }
    number(36 + dataByteCount, 4)
    bytes += Array("WAVEfmt ".utf8)
    number(16, 4)
    number(1, 2)
    number(channelCount, 2)
    number(sampleRate, 4)
    number(sampleRate * channelCount * 2, 4)
    number(channelCount * 2, 2)
    number(16, 2)
    bytes += Array("data".utf8)
    number(dataByteCount, 4)
    return bytes
  }

  private static func append(_ value: UInt32, byteCount: Int, to bytes: inout [UInt8]) {
    for byte in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))) }
  }
}
