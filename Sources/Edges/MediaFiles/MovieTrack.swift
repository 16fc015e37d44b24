import CFFmpeg
import MediaBase

/// The pictures or the sound of a file, decoded one after another, whatever container and codec FFmpeg's libraries read.
/// Used by one thread at a time.
final class MovieTrack {
  enum Kind: String {
    case pictures
    case sound
  }

  /// Damaged packets in a row before the file counts as unreadable; single ones may pass.
  private static let damagedPacketsAllowed = 100
  /// In microseconds; what 64 bits hold.
  private static let furthest = 9e18

  let path: String
  let container: MovieContainer
  let stream: UnsafeMutablePointer<AVStream>

  private var decoder: UnsafeMutablePointer<AVCodecContext>?
  private var packet = av_packet_alloc()
  private let secondsPerUnit: Double
  private let startSeconds: Double
  private var damagedPackets = 0

  /// Opens the file and its best track of this kind.
  init(path: String, _ kind: Kind) throws(MediaDeviceError) {
    container = try MovieContainer(path: path)
    self.path = path
    let context = container.context
    var codec: UnsafePointer<AVCodec>?
    let type = kind == .pictures ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
    let index = av_find_best_stream(context, type, -1, -1, &codec, 0)
    guard index != cff_decoder_not_found() else {
      throw .unsupportedFormat(name: path, detail: "there is no decoder for its \(kind.rawValue)")
    }
    guard index >= 0, let stream = context.pointee.streams[Int(index)], let codec else {
      throw .unsupportedFormat(name: path, detail: "it has no \(kind.rawValue)")
    }
    self.stream = stream
    let timeBase = stream.pointee.time_base
    secondsPerUnit = Double(timeBase.num) / Double(max(1, timeBase.den))
    startSeconds = container.startSeconds
    for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
      context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
    }
    decoder = avcodec_alloc_context3(codec)
    try MovieError.check(
      path, "preparing its decoder", avcodec_parameters_to_context(decoder, stream.pointee.codecpar))
    decoder?.pointee.pkt_timebase = timeBase
    try MovieError.check(path, "opening its decoder", avcodec_open2(decoder, codec, nil))
  }

  deinit {
    avcodec_free_context(&decoder)
    av_packet_free(&packet)
  }

  /// Decodes the next picture or piece of sound into `frame`; false at the end of the file.
  func next(into frame: UnsafeMutablePointer<AVFrame>) throws(MediaDeviceError) -> Bool {
    while true {
      let status = avcodec_receive_frame(decoder, frame)
      if status >= 0 {
        damagedPackets = 0
        return true
      }
      if status == cff_end_of_file() { return false }
      if status != cff_again() { try passDamage(status) }
      try feed()
    }
  }

  /// Seconds from the file's beginning at which a decoded frame is due; `nil` where the file does not say.
  func seconds(of frame: UnsafeMutablePointer<AVFrame>) -> Double? {
    let stamp = frame.pointee.best_effort_timestamp
    return stamp == cff_no_timestamp() ? nil : Double(stamp) * secondsPerUnit - startSeconds
  }

  /// Goes to the last place at or before `seconds` where decoding can begin.
  func seek(toSeconds seconds: Double) throws(MediaDeviceError) {
    // A file may say that it begins at the end of all time.
    let target = Int64(min(max((seconds + startSeconds) * Double(AV_TIME_BASE), -Self.furthest), Self.furthest))
    try MovieError.check(
      path, "going to another place in it",
      avformat_seek_file(container.context, -1, .min, target, max(target, 0), AVSEEK_FLAG_BACKWARD))
    avcodec_flush_buffers(decoder)
  }

  /// Goes back to the file's beginning.
  func rewind() throws(MediaDeviceError) {
    guard container.isFoundByBytes else { return try seek(toSeconds: 0) }
    try MovieError.check(
      path, "going back to its beginning",
      avformat_seek_file(container.context, -1, 0, 0, 0, AVSEEK_FLAG_BYTE))
    avcodec_flush_buffers(decoder)
  }

  /// Gives the decoder the track's next packet, or tells it that there is none.
  private func feed() throws(MediaDeviceError) {
    while true {
      let status = av_read_frame(container.context, packet)
      guard status >= 0 else {
        guard status == cff_end_of_file() else { throw MovieError.error(path, "reading", status) }
        avcodec_send_packet(decoder, nil)
        return
      }
      defer { av_packet_unref(packet) }
      guard packet?.pointee.stream_index == stream.pointee.index else { continue }
      let sent = avcodec_send_packet(decoder, packet)
      if sent < 0, sent != cff_again() { try passDamage(sent) }
      return
    }
  }

  private func passDamage(_ status: Int32) throws(MediaDeviceError) {
    damagedPackets += 1
    guard status == cff_invalid_data(), damagedPackets <= Self.damagedPacketsAllowed else {
      throw MovieError.error(path, "decoding", status)
    }
  }
}
