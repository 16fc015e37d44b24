import MediaBase

/// Reads the pictures of a Y4M file (YUV4MPEG2, 8-bit 4:2:0) one after the other. Used by one thread at a time.
public final class Y4MReader {
  /// What the file says about its pictures.
  public let header: Y4MHeader

  private let file: StoredFile
  private let pool = VideoFramePool()
  private let firstFrameOffset: Int

  /// Opens a file and reads its header.
  public init(path: String) throws(MediaDeviceError) {
    file = try StoredFile(reading: path)
    guard let line = try Self.readLine(of: file) else {
      throw .unsupportedFormat(name: path, detail: "it is not a Y4M file (it does not begin with a line of text)")
    }
    do throws(MediaFormatError) {
      header = try Y4MHeader(parsing: line)
    } catch {
      throw error.inFile(path)
    }
    firstFrameOffset = file.offset
  }

  /// The next picture, whose memory nobody else holds; `nil` at the end of the file.
  public func next(captureTime: MediaInstant = .zero) throws(MediaDeviceError) -> VideoFrame? {
    guard try beginFrame() else { return nil }
    let frame = pool.frame(width: header.width, height: header.height, captureTime: captureTime)
    try readPlane(frame.planeY, stride: frame.strideY, width: frame.width, height: frame.height)
    try readPlane(frame.planeU, stride: frame.strideUV, width: frame.chromaWidth, height: frame.chromaHeight)
    try readPlane(frame.planeV, stride: frame.strideUV, width: frame.chromaWidth, height: frame.chromaHeight)
    return frame
  }

  /// Leaves one picture out; `false` at the end of the file.
  public func skip() throws(MediaDeviceError) -> Bool {
    guard try beginFrame() else { return false }
    let end = file.offset + header.frameByteCount
    if let byteCount = file.byteCount, end > byteCount { throw truncated }
    try file.seek(to: end)
    return true
  }

  /// Goes back to the first picture.
  public func rewind() throws(MediaDeviceError) { try file.seek(to: firstFrameOffset) }

  /// Reads the line before a picture: FRAME and perhaps parameters, which do not matter here.
  private func beginFrame() throws(MediaDeviceError) -> Bool {
    let start = file.offset
    guard let line = try Self.readLine(of: file) else {
      if file.offset == start { return false }
      throw truncated
    }
    guard line.starts(with: "FRAME".utf8) else {
      throw .unsupportedFormat(name: file.path, detail: "a picture is missing at byte \(start); the file is damaged")
    }
    return true
  }

  private func readPlane(
    _ plane: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int
  ) throws(MediaDeviceError) {
    if stride == width {
      guard try file.read(width * height, into: plane) == width * height else { throw truncated }
      return
    }
    for row in 0..<height {
      guard try file.read(width, into: plane + row * stride) == width else { throw truncated }
    }
  }

  private var truncated: MediaDeviceError {
    .unsupportedFormat(name: file.path, detail: "it ends in the middle of a picture; make or copy it again")
  }

  /// The bytes up to the next line feed; `nil` if the file ends before one or the line is too long.
  private static func readLine(of file: StoredFile) throws(MediaDeviceError) -> [UInt8]? {
    var line: [UInt8] = []
    while line.count <= Y4MHeader.longestLine {
      guard let byte = try file.readByte() else { return nil }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
    return nil
  }
}
