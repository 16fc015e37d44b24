import CYUV
import MediaBase
import PictureFiles

/// Paints several people into one picture. Used by one thread at a time; keeps memory for one size of picture.
public final class GridPainter {
  private typealias Area = GridLayout.Area

  private struct Color {
    var y: UInt8
    var u: UInt8
    var v: UInt8

    static let background = Color(y: 22, u: 128, v: 128)
    static let empty = Color(y: 44, u: 130, v: 126)
    static let white = Color(y: 235, u: 128, v: 128)
    static let red = Color(y: 110, u: 100, v: 200)
    static let green = Color(y: 160, u: 90, v: 70)
  }

  private let pool = VideoFramePool()
  private let rasterizer = TextRasterizer()

  /// Makes a painter.
  public init() {}

  /// A picture of `width` by `height` pixels with a tile for each person, laid out by `GridLayout`. Sides are brought into
  /// 16 to 16,384 pixels.
  public func paint(_ tiles: [GridTile], width: Int, height: Int, captureTime: MediaInstant = .zero) -> VideoFrame {
    let (width, height) = (min(max(width, 16), 16_384), min(max(height, 16), 16_384))
    let result = pool.frame(width: width, height: height, captureTime: captureTime)
    fill(result, Area(x: 0, y: 0, width: width + 1 & ~1, height: height + 1 & ~1), .background)
    for (tile, area) in zip(tiles, GridLayout.areas(count: tiles.count, width: width, height: height)) {
      paint(tile, into: result, area)
    }
    return result
  }

  private func paint(_ tile: GridTile, into result: VideoFrame, _ area: Area) {
    if let picture = tile.picture {
      place(tile.isMirrored ? picture.mirrored() : picture.upright(), tile.renderMode, into: result, area)
    } else {
      fill(result, area, .empty)
    }
    let pixels = min(48, max(10, area.height / 14))
    let margin = pixels / 2 & ~1
    if tile.picture == nil {
      let text = rasterizer.text(tile.name, pixels: min(64, pixels * 2), longest: area.width - 2 * margin)
      blend(
        text, .white, into: result, x: area.x + (area.width - text.width) / 2,
        y: area.y + (area.height - text.height) / 2)
    }
    label(tile, into: result, area, pixels: pixels, margin: margin)
  }

  /// The line at the lower edge: microphone or loudness, then the name.
  private func label(_ tile: GridTile, into result: VideoFrame, _ area: Area, pixels: Int, margin: Int) {
    let showsSound = tile.isMuted || tile.level > 0
    let showsName = tile.picture != nil && !tile.name.isEmpty
    guard showsSound || showsName else { return }
    let soundWidth = showsSound ? pixels + margin : 0
    let text =
      showsName
      ? rasterizer.text(tile.name, pixels: pixels, longest: area.width - 4 * margin - soundWidth) : .empty
    let height = min(area.height, (pixels * 7 / 5 + margin) & ~1)
    let band = Area(
      x: area.x, y: area.y + area.height - height, width: min(area.width, (soundWidth + text.width + 3 * margin) & ~1),
      height: height)
    darken(result, band)
    let x = band.x + margin
    if tile.isMuted {
      blend(rasterizer.mutedSign(pixels: pixels), .red, into: result, x: x, y: band.y + (height - pixels) / 2)
    } else if showsSound {
      bar(min(255, tile.level), into: result, x: x, band, pixels: pixels)
    }
    blend(text, .white, into: result, x: x + soundWidth, y: band.y + (height - text.height) / 2)
  }

  /// A bar that is the higher the louder somebody is.
  private func bar(_ level: Int, into result: VideoFrame, x: Int, _ band: Area, pixels: Int) {
    let height = max(2, pixels * level / 255)
    let image = AlphaImage(
      width: max(2, pixels / 2), height: height,
      bytes: [UInt8](repeating: 255, count: max(2, pixels / 2) * height))
    blend(image, .green, into: result, x: x, y: band.y + (band.height + pixels) / 2 - height)
  }

  /// Scales a picture into an area, cut off or surrounded by dark.
  private func place(_ picture: VideoFrame, _ mode: VideoRenderMode, into result: VideoFrame, _ area: Area) {
    var source = Area(x: 0, y: 0, width: picture.width, height: picture.height)
    var target = area
    let isWider = picture.width * area.height > picture.height * area.width
    if mode.fills(pictureWidth: picture.width, pictureHeight: picture.height, width: area.width, height: area.height) {
      if isWider {
        source.width = max(1, picture.height * area.width / area.height)
        source.x = (picture.width - source.width) / 2 & ~1
      } else {
        source.height = max(1, picture.width * area.height / area.width)
        source.y = (picture.height - source.height) / 2 & ~1
      }
    } else {
      if isWider {
        target.height = max(2, area.width * picture.height / picture.width & ~1)
        target.y += (area.height - target.height) / 2 & ~1
      } else {
        target.width = max(2, area.height * picture.width / picture.height & ~1)
        target.x += (area.width - target.width) / 2 & ~1
      }
    }
    let chroma = source.y / 2 * picture.strideUV + source.x / 2
    let resultChroma = target.y / 2 * result.strideUV + target.x / 2
    I420Scale(
      picture.planeY + source.y * picture.strideY + source.x, Int32(picture.strideY), picture.planeU + chroma,
      Int32(picture.strideUV), picture.planeV + chroma, Int32(picture.strideUV), Int32(source.width),
      Int32(source.height), result.planeY + target.y * result.strideY + target.x, Int32(result.strideY),
      result.planeU + resultChroma, Int32(result.strideUV), result.planeV + resultChroma, Int32(result.strideUV),
      Int32(target.width), Int32(target.height), kFilterBox)
  }

  private func fill(_ result: VideoFrame, _ area: Area, _ color: Color) {
    for row in area.y..<min(result.height, area.y + area.height) {
      (result.planeY + row * result.strideY + area.x).update(
        repeating: color.y, count: min(area.width, result.width - area.x))
    }
    for row in (area.y / 2)..<min(result.chromaHeight, (area.y + area.height) / 2) {
      let offset = row * result.strideUV + area.x / 2
      let count = min(area.width / 2, result.chromaWidth - area.x / 2)
      (result.planeU + offset).update(repeating: color.u, count: count)
      (result.planeV + offset).update(repeating: color.v, count: count)
    }
  }

  /// A third of the brightness and half of the colour, for text to stand out.
  private func darken(_ result: VideoFrame, _ area: Area) {
    for row in area.y..<(area.y + area.height) {
      let line = result.planeY + row * result.strideY
      for column in area.x..<(area.x + area.width) { line[column] = UInt8((Int(line[column]) + 2 * 16) / 3) }
    }
    for row in (area.y / 2)..<((area.y + area.height) / 2) {
      for column in (area.x / 2)..<((area.x + area.width) / 2) {
        let index = row * result.strideUV + column
        result.planeU[index] = UInt8((Int(result.planeU[index]) + 128) / 2)
        result.planeV[index] = UInt8((Int(result.planeV[index]) + 128) / 2)
      }
    }
  }

  /// Lays a colour over the picture where the image is; what is beyond the picture's edges is left out.
  private func blend(_ image: AlphaImage, _ color: Color, into result: VideoFrame, x: Int, y: Int) {
    func mix(_ old: UInt8, _ new: UInt8, _ alpha: UInt8) -> UInt8 {
      UInt8((Int(old) * (255 - Int(alpha)) + Int(new) * Int(alpha)) / 255)
    }
    for row in 0..<image.height where (0..<result.height).contains(y + row) {
      for column in 0..<image.width where (0..<result.width).contains(x + column) {
        let alpha = image.bytes[row * image.width + column]
        guard alpha > 0 else { continue }
        let index = (y + row) * result.strideY + x + column
        result.planeY[index] = mix(result.planeY[index], color.y, alpha)
        guard (y + row) % 2 == 0, (x + column) % 2 == 0 else { continue }
        let chroma = (y + row) / 2 * result.strideUV + (x + column) / 2
        result.planeU[chroma] = mix(result.planeU[chroma], color.u, alpha)
        result.planeV[chroma] = mix(result.planeV[chroma], color.v, alpha)
      }
    }
  }
}
