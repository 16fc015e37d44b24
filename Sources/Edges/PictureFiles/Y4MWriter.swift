import MediaBase

/// Writes pictures to a Y4M file (YUV4MPEG2, 8-bit 4:2:0), which most players and ffmpeg read. Used by one thread at a time.
public final class Y4MWriter {
  private let file: StoredFile
  private let header: Y4MHeader

  /// Makes a file, or empties the one that is there, for pictures of one size.
  ///
  /// - Parameters:
  ///   - path: where.
  ///   - width: in pixels, 1...16,384.
  ///   - height: in pixels, 1...16,384.
  ///   - frameRate: pictures per second at which it is to be played.
  public init(path: String, width: Int, height: Int, frameRate: Int) throws(MediaDeviceError) {
    do throws(MediaFormatError) {
      header = try Y4MHeader(width: width, height: height, frameRate: frameRate)
    } catch {
      throw error.inFile(path)
    }
    file = try StoredFile(writing: path)
    try file.write(header.line)
  }

  /// Appends a picture, turned by its `rotation`; then it must have the size of the file.
  public func write(_ frame: VideoFrame) throws(MediaDeviceError) {
    let picture = frame.upright()
    guard picture.width == header.width, picture.height == header.height else {
      throw .unsupportedFormat(
        name: file.path,
        detail: "a picture of \(picture.width)x\(picture.height) does not fit into a file of "
          + "\(header.width)x\(header.height); scale it first")
    }
    try file.write(Array("FRAME\n".utf8))
    try write(picture.planeY, stride: picture.strideY, width: picture.width, height: picture.height)
    try write(picture.planeU, stride: picture.strideUV, width: picture.chromaWidth, height: picture.chromaHeight)
    try write(picture.planeV, stride: picture.strideUV, width: picture.chromaWidth, height: picture.chromaHeight)
  }

  /// Writes what is still in memory and closes the file; happens by itself when the writer goes, then without errors.
  public func close() throws(MediaDeviceError) { try file.close() }

  private func write(
    _ plane: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int
  ) throws(MediaDeviceError) {
    for row in 0..<height { try file.write(plane + row * stride, count: width) }
  }
}
