import CFFmpeg
import MediaBase
import PictureFiles

/// A file that FFmpeg's libraries read, opened. Used by one thread at a time.
final class MovieContainer {
  let path: String
  let context: UnsafeMutablePointer<AVFormatContext>

  /// Opens the file and looks at its beginning, to know its tracks.
  init(path: String) throws(MediaDeviceError) {
    _ = MovieError.silence
    // Whoever opens a pipe waits for somebody to write into it, and a device may have no end.
    if let problem = StoredFile.kindProblem(path) { throw problem }
    // Without a protocol's name a path with a colon would be taken for an address; and nothing but files is opened, also
    // by files that name others.
    var options: OpaquePointer?
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    defer { av_dict_free(&options) }
    var opened: UnsafeMutablePointer<AVFormatContext>?
    try MovieError.check(path, "opening it", avformat_open_input(&opened, "file:" + path, nil, &options))
    guard let opened else { throw .unsupportedFormat(name: path, detail: "it could not be opened") }
    self.path = path
    context = opened
    // What is thrown from here on is thrown by a whole object, whose end closes the file.
    try MovieError.check(path, "reading its beginning", avformat_find_stream_info(opened, nil))
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  /// Of the whole file; `nil` where the file does not say.
  var durationSeconds: Double? {
    let duration = context.pointee.duration
    return duration > 0 ? Double(duration) / Double(AV_TIME_BASE) : nil
  }

  /// The time that its first picture or sound bears.
  var startSeconds: Double {
    let start = context.pointee.start_time
    return start == cff_no_timestamp() ? 0 : Double(start) / Double(AV_TIME_BASE)
  }

  /// Whether a place in it is better looked for by bytes than by time: in streams without an index (MPEG-TS), a time may be
  /// found anywhere.
  var isFoundByBytes: Bool {
    guard let format = context.pointee.iformat else { return false }
    let flags = format.pointee.flags
    // Ogg says that its times may jump, but has them in order.
    let isOgg = String(cString: format.pointee.name) == "ogg"
    return flags & AVFMT_TS_DISCONT != 0 && flags & AVFMT_NO_BYTE_SEEK == 0 && !isOgg
  }
}
