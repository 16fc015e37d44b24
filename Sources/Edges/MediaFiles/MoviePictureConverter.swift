import CFFmpeg
import MediaBase
import PictureFiles

/// Turns decoded pictures of any layout, shape of pixel and colour space into upright I420 pictures (BT.601, limited range)
/// of a wanted size. Used by one thread at a time.
final class MoviePictureConverter {
  private let rotation: Int
  private var scaling: OpaquePointer?
  private let pool = VideoFramePool()
  private let scaler = VideoScaler()

  init(rotation: Int) { self.rotation = rotation }

  deinit { sws_freeContext(scaling) }

  func convert(
    _ picture: UnsafeMutablePointer<AVFrame>, path: String, width: Int, height: Int
  ) throws(MediaDeviceError) -> VideoFrame {
    let (sourceWidth, sourceHeight) = (picture.pointee.width, picture.pointee.height)
    let sides: ClosedRange<Int32> = 1...16_384
    guard sides.contains(sourceWidth), sides.contains(sourceHeight) else {
      throw .unsupportedFormat(name: path, detail: "its pictures are \(sourceWidth) by \(sourceHeight) pixels")
    }
    let shownWidth = Self.width(of: picture)
    scaling = sws_getCachedContext(
      scaling, sourceWidth, sourceHeight, AVPixelFormat(picture.pointee.format), Int32(shownWidth), sourceHeight,
      AV_PIX_FMT_YUV420P, SWS_BILINEAR, nil, nil, nil)
    guard let scaling else { throw .unsupportedFormat(name: path, detail: "its pictures cannot be converted") }
    setColors(of: picture, scaling)
    let frame = pool.frame(width: shownWidth, height: Int(sourceHeight), captureTime: .zero)
    frame.rotation = rotation
    let sources = withUnsafeBytes(of: picture.pointee.data) { Array($0.bindMemory(to: UnsafePointer<UInt8>?.self)) }
    let sourceLines = withUnsafeBytes(of: picture.pointee.linesize) { Array($0.bindMemory(to: Int32.self)) }
    let planes: [UnsafeMutablePointer<UInt8>?] = [frame.planeY, frame.planeU, frame.planeV, nil]
    let lines = [Int32(frame.strideY), Int32(frame.strideUV), Int32(frame.strideUV), 0]
    try MovieError.check(
      path, "converting a picture",
      sws_scale(scaling, sources, sourceLines, 0, sourceHeight, planes, lines))
    return scaler.fill(frame.upright(), width: width, height: height)
  }

  /// How wide the picture is with square pixels.
  private static func width(of picture: UnsafeMutablePointer<AVFrame>) -> Int {
    let (width, aspect) = (Int(picture.pointee.width), picture.pointee.sample_aspect_ratio)
    guard aspect.num > 0, aspect.den > 0, aspect.num != aspect.den else { return width }
    let shown = Double(width) * Double(aspect.num) / Double(aspect.den)
    return shown >= 1 && shown <= 16_384 ? Int(shown.rounded()) : width
  }

  private func setColors(of picture: UnsafeMutablePointer<AVFrame>, _ scaling: OpaquePointer) {
    let space = picture.pointee.colorspace
    // Files that do not say follow a habit: large pictures are in the colours of HD television.
    let isUnknown = space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED
    let source = isUnknown && picture.pointee.height >= 720 ? AVCOL_SPC_BT709 : space
    let isFullRange = picture.pointee.color_range == AVCOL_RANGE_JPEG
    _ = sws_setColorspaceDetails(
      scaling, sws_getCoefficients(Int32(source.rawValue)), isFullRange ? 1 : 0,
      sws_getCoefficients(SWS_CS_ITU601), 0, 0, 1 << 16, 1 << 16)
  }
}
