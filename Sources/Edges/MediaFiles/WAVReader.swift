import MediaBase
import PictureFiles

/// Reads the samples of a WAV file (16-bit PCM, one or two channels) one after the other. Used by one thread at a time.
public final class WAVReader {
  /// What the file says about its sound.
  public let header: WAVHeader

  private let file: StoredFile
  private var bytesLeft: Int

  /// Opens a file and reads its header.
  public init(path: String) throws(MediaDeviceError) {
    file = try StoredFile(reading: path)
    var bytes = [UInt8](repeating: 0, count: WAVHeader.longestHeader)
    let count = try file.read(bytes.count, into: &bytes)
    bytes.removeSubrange(count...)
    do throws(MediaFormatError) {
      header = try WAVHeader(parsing: bytes)
    } catch {
      throw error.inFile(path)
    }
    bytesLeft = 0
    try rewind()
  }

  /// The next samples of all channels, interleaved: `frameCount` for each channel, fewer only at the end. A file that is
  /// shorter than its header says ends early.
  public func next(frameCount: Int) throws(MediaDeviceError) -> [Int16] {
    let frameSize = 2 * header.channelCount
    let wanted = min(max(frameCount, 0) * frameSize, bytesLeft / frameSize * frameSize)
    guard wanted > 0 else { return [] }
    var samples = [Int16](repeating: 0, count: wanted / 2)
    let got = try file.read(wanted, into: &samples)
    bytesLeft = got < wanted ? 0 : bytesLeft - got
    samples.removeSubrange((got / frameSize * header.channelCount)...)
    for index in samples.indices { samples[index] = Int16(littleEndian: samples[index]) }
    return samples
  }

  /// Goes back to the first sample.
  public func rewind() throws(MediaDeviceError) {
    try file.seek(to: header.dataOffset)
    bytesLeft = header.dataByteCount ?? .max
  }
}
