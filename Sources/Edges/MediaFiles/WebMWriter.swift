import CFFmpeg
import Glibc
import MediaBase
import PictureFiles

/// Writes VP8 pictures and Opus sound, as they come from the network, into a WebM file. What has been written can be played
/// at any time, also if the program ends without closing the file. Used by one thread at a time.
public final class WebMWriter {
  private let path: String
  private var container: UnsafeMutablePointer<AVFormatContext>?
  private var packet = av_packet_alloc()
  private var pictures: UnsafeMutablePointer<AVStream>?
  private var sound: UnsafeMutablePointer<AVStream>?
  private var isOpen = false

  /// A file that is cut off loses at most what came in such a time.
  private static let clusterMilliseconds = "500"
  /// Pictures wait so long for sound that belongs before them, in microseconds.
  private static let longestInterleaving: Int64 = 500_000
  /// RFC 7845 section 4.6: what a player decodes before the place it jumps to, in samples.
  private static let seekPreroll: Int32 = 3_840

  /// Makes a file, or empties the one that is there.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - pictureSize: width and height in pixels; `nil` for a file without pictures.
  ///   - lookaheadSampleCount: the encoder's delay (`OpusEncoder.lookaheadSampleCount`); `nil` for a file without sound,
  ///     which has two channels otherwise.
  public init(
    path: String, pictureSize: (width: Int, height: Int)?, lookaheadSampleCount: Int?
  ) throws(MediaDeviceError) {
    _ = MovieError.silence
    self.path = path
    try MovieError.check(path, "making it", avformat_alloc_output_context2(&container, nil, "webm", nil))
    guard let container else { throw .unsupportedFormat(name: path, detail: "it could not be made") }
    if let pictureSize { pictures = try addPictures(pictureSize.width, pictureSize.height) }
    if let lookaheadSampleCount { sound = try addSound(lookaheadSampleCount) }
    let made = avio_open(&container.pointee.pb, "file:" + path, AVIO_FLAG_WRITE)
    if cff_system_error(made) == ENOENT { throw StoredFile.makingError(path, ENOENT) }
    try MovieError.check(path, "making it", made)
    container.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
    container.pointee.max_interleave_delta = Self.longestInterleaving
    var options: OpaquePointer?
    av_dict_set(&options, "cluster_time_limit", Self.clusterMilliseconds, 0)
    defer { av_dict_free(&options) }
    try MovieError.check(path, "writing its beginning", avformat_write_header(container, &options))
    isOpen = true
  }

  deinit {
    try? close()
    if let container { avio_closep(&container.pointee.pb) }
    avformat_free_context(container)
    av_packet_free(&packet)
  }

  /// Appends a picture; `time` counts from the file's beginning and grows from picture to picture.
  public func writePicture(_ data: [UInt8], isKeyFrame: Bool, time: MediaDuration) throws(MediaDeviceError) {
    guard let pictures else { return }
    try write(data, to: pictures, microseconds: time.nanoseconds / 1_000, duration: 0, isKeyFrame: isKeyFrame)
  }

  /// Appends an Opus packet of 20 ms; `place` counts samples at 48 kHz from the file's beginning to the first that the encoder
  /// was given for it.
  public func writeSound(_ data: [UInt8], place: Int64) throws(MediaDeviceError) {
    guard let sound else { return }
    // The encoder's delay is not taken off here: readers do so, by what the header says of it.
    try write(data, to: sound, microseconds: place * 1_000 / 48, duration: 20_000, isKeyFrame: true)
  }

  /// Completes the file with its length and an index, and closes it; happens by itself when the writer goes, then without
  /// errors. Idempotent.
  public func close() throws(MediaDeviceError) {
    guard isOpen, let container else { return }
    isOpen = false
    try MovieError.check(path, "writing its end", av_write_trailer(container))
    try MovieError.check(path, "closing it", avio_closep(&container.pointee.pb))
  }

  private func addPictures(_ width: Int, _ height: Int) throws(MediaDeviceError) -> UnsafeMutablePointer<AVStream> {
    let stream = try addStream(AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_VP8)
    stream.pointee.codecpar.pointee.width = Int32(clamping: width)
    stream.pointee.codecpar.pointee.height = Int32(clamping: height)
    return stream
  }

  private func addSound(_ lookahead: Int) throws(MediaDeviceError) -> UnsafeMutablePointer<AVStream> {
    let stream = try addStream(AVMEDIA_TYPE_AUDIO, AV_CODEC_ID_OPUS)
    let parameters = stream.pointee.codecpar
    parameters?.pointee.sample_rate = 48_000
    av_channel_layout_default(&stream.pointee.codecpar.pointee.ch_layout, 2)
    parameters?.pointee.initial_padding = Int32(clamping: lookahead)
    parameters?.pointee.seek_preroll = Self.seekPreroll
    let header = Self.opusHeader(preSkip: UInt16(clamping: lookahead))
    let room = header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = av_mallocz(room)?.assumingMemoryBound(to: UInt8.self) else {
      throw MovieError.error(path, "making it", cff_no_memory())
    }
    memory.update(from: header, count: header.count)
    parameters?.pointee.extradata = memory
    parameters?.pointee.extradata_size = Int32(header.count)
    return stream
  }

  private func addStream(
    _ type: AVMediaType, _ codec: AVCodecID
  ) throws(MediaDeviceError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = avformat_new_stream(container, nil) else {
      throw MovieError.error(path, "making it", cff_no_memory())
    }
    stream.pointee.codecpar.pointee.codec_type = type
    stream.pointee.codecpar.pointee.codec_id = codec
    return stream
  }

  private func write(
    _ data: [UInt8], to stream: UnsafeMutablePointer<AVStream>, microseconds: Int64, duration: Int64, isKeyFrame: Bool
  ) throws(MediaDeviceError) {
    guard isOpen, let packet, av_new_packet(packet, Int32(clamping: data.count)) == 0 else {
      throw MovieError.error(path, "writing", cff_no_memory())
    }
    packet.pointee.data.update(from: data, count: data.count)
    packet.pointee.stream_index = stream.pointee.index
    let unit = AVRational(num: 1, den: 1_000_000)
    packet.pointee.pts = av_rescale_q(microseconds, unit, stream.pointee.time_base)
    packet.pointee.dts = packet.pointee.pts
    packet.pointee.duration = av_rescale_q(duration, unit, stream.pointee.time_base)
    if isKeyFrame { packet.pointee.flags |= AV_PKT_FLAG_KEY }
    try MovieError.check(path, "writing", av_interleaved_write_frame(container, packet))
  }

  /// RFC 7845 section 5.1, for two channels at 48 kHz.
  private static func opusHeader(preSkip: UInt16) -> [UInt8] {
    let (low, high) = (UInt8(truncatingIfNeeded: preSkip), UInt8(truncatingIfNeeded: preSkip >> 8))
    return Array("OpusHead".utf8) + [1, 2, low, high, 0x80, 0xBB, 0, 0, 0, 0, 0]
  }
}
