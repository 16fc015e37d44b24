import MediaBase
import OpusCodec
import RTPWire

/// What comes when in a recording: without a thread or a clock of its own.
///
/// A file begins at a key frame or, if no picture comes within three seconds, with sound alone; pictures that come later begin
/// another file. Sound never has a hole: silence stands where nothing was heard.
final class WebMRecording {
  /// How long sound alone waits for pictures to begin with: a key frame may have to be asked for.
  private static let patience = MediaDuration.seconds(3)
  /// Sound that is heard this much later or earlier than its place has a hole before it or overlaps.
  private static let tolerance: Int64 = 4_800
  /// Sound counts as missing, not late, when pictures are this far ahead of it: half a second.
  private static let longestWait: Int64 = 24_000
  private static let samplesInPacket = 960
  /// Packets after the beginning of a silence that still differ: the encoder fades out what was heard before.
  private static let fadingPackets = 25
  private static let bitrateBitsPerSecond = 96_000

  private struct HeldSound {
    var time: MediaInstant
    var samples: [Int16]
  }

  /// The file that is being written.
  private struct Part {
    let writer: WebMWriter
    let encoder: OpusEncoder
    let beginning: MediaInstant
    let hasPictures: Bool
    /// Samples of each channel that were encoded.
    var place: Int64 = 0
    /// Sound that is not a whole packet yet, interleaved.
    var samples: [Int16] = []
    var lastPacket: [UInt8] = []
    var pictureTimes = PictureTimes()
  }

  private let path: String
  private var part: Part?
  private var partCount = 0
  private var held: [HeldSound] = []

  /// The files that were made.
  private(set) var files: [String] = []

  init(path: String) { self.path = path }

  /// Takes a picture that was complete at `time`.
  func add(_ picture: EncodedVideoFrame, at time: MediaInstant) throws(MediaDeviceError) {
    if picture.isKeyFrame, part?.hasPictures != true, let size = Self.size(of: picture.data) {
      try finishPart()
      try beginPart(at: time, size)
    }
    guard var current = part, current.hasPictures else { return }
    let offset = current.pictureTimes.time(of: picture.timestamp, at: time - current.beginning)
    part = current
    try current.writer.writePicture(picture.data, isKeyFrame: picture.isKeyFrame, time: offset)
    try fillSilence(upTo: (time - current.beginning).samples - Self.longestWait)
  }

  /// Takes 10 ms of sound, two channels at 48 kHz, that is heard at `time`.
  func add(_ samples: [Int16], at time: MediaInstant) throws(MediaDeviceError) {
    guard let current = part else {
      held.append(HeldSound(time: time, samples: samples))
      guard let first = held.first, time - first.time >= Self.patience else { return }
      return try beginPart(at: first.time, nil)
    }
    let place = (time - current.beginning).samples
    let next = current.place + Int64(current.samples.count / 2)
    if place > next + Self.tolerance { try fillSilence(upTo: place) }
    if place < next - Self.tolerance { return }
    part?.samples.append(contentsOf: samples)
    try encode()
  }

  /// Completes the file.
  func finish() throws(MediaDeviceError) {
    if part == nil, let first = held.first { try beginPart(at: first.time, nil) }
    try finishPart()
  }

  private func beginPart(at time: MediaInstant, _ size: (width: Int, height: Int)?) throws(MediaDeviceError) {
    partCount += 1
    let name = partCount == 1 ? path : Self.numbered(path, partCount)
    let encoder: OpusEncoder
    do throws(OpusCodecError) {
      encoder = try OpusEncoder(
        channelCount: 2, bitrateBitsPerSecond: Self.bitrateBitsPerSecond, application: .audio, expectedLossPercent: 0)
    } catch {
      throw .unsupportedFormat(name: name, detail: "\(error)")
    }
    let writer = try WebMWriter(
      path: name, pictureSize: size, lookaheadSampleCount: encoder.lookaheadSampleCount)
    files.append(name)
    part = Part(writer: writer, encoder: encoder, beginning: time, hasPictures: size != nil)
    let waiting = held
    held = []
    for sound in waiting where sound.time >= time { try add(sound.samples, at: sound.time) }
  }

  private func finishPart() throws(MediaDeviceError) {
    guard let ending = part else { return }
    part = nil
    try ending.writer.close()
  }

  /// Packet by packet, and without work for each: somebody who leaves for a private call is away for hours, and comes back
  /// while this is written.
  private func fillSilence(upTo place: Int64) throws(MediaDeviceError) {
    var filled = 0
    while let current = part {
      let missing = place - current.place - Int64(current.samples.count / 2)
      guard missing > 0 else { return }
      if filled > Self.fadingPackets, missing >= Int64(Self.samplesInPacket) {
        try append(current.lastPacket)
        continue
      }
      let count = min(Int(clamping: missing), Self.samplesInPacket - current.samples.count / 2)
      part?.samples.append(contentsOf: repeatElement(0, count: count * 2))
      try encode()
      filled += 1
    }
  }

  private func encode() throws(MediaDeviceError) {
    let count = Self.samplesInPacket * 2
    while let current = part, current.samples.count >= count {
      let packet: [UInt8]
      do throws(OpusCodecError) {
        packet = try current.encoder.encode(Array(current.samples[..<count]))
      } catch {
        throw .unsupportedFormat(name: path, detail: "\(error)")
      }
      part?.samples.removeFirst(count)
      try append(packet)
    }
  }

  /// Writes the next packet of sound.
  private func append(_ packet: [UInt8]) throws(MediaDeviceError) {
    guard let current = part else { return }
    part?.place += Int64(Self.samplesInPacket)
    part?.lastPacket = packet
    try current.writer.writeSound(packet, place: current.place)
  }

  private static func size(of picture: [UInt8]) -> (width: Int, height: Int)? {
    guard let header = try? VP8FrameHeader(parsing: picture.span.bytes), header.width > 0, header.height > 0 else {
      return nil
    }
    return (header.width, header.height)
  }

  /// `show.webm` becomes `show-2.webm`.
  private static func numbered(_ path: String, _ number: Int) -> String {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "\(path)-\(number)" }
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }
}

extension MediaDuration {
  /// At 48 kHz, rounded down.
  fileprivate var samples: Int64 { nanoseconds / 1_000 * 48 / 1_000 }
}
