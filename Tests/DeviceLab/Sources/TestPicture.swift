import MediaBase

/// The driver's test picture: eight bars, as RGB.
enum TestPicture {
  static let bars: [(name: String, red: Int, green: Int, blue: Int)] = [
    ("white", 191, 191, 191), ("yellow", 191, 191, 0), ("cyan", 0, 191, 191), ("green", 0, 191, 0),
    ("magenta", 191, 0, 191), ("red", 191, 0, 0), ("blue", 0, 0, 191), ("black", 0, 0, 0),
  ]

  /// Luma and chroma of a colour in BT.601 with limited range.
  static func expected(_ bar: (name: String, red: Int, green: Int, blue: Int)) -> (y: Int, u: Int, v: Int) {
    let (red, green, blue) = (Double(bar.red) / 255, Double(bar.green) / 255, Double(bar.blue) / 255)
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return (
      Int((16 + 219 * luma).rounded()), Int((128 + 224 * (blue - luma) / 1.772).rounded()),
      Int((128 + 224 * (red - luma) / 1.402).rounded())
    )
  }

  /// The driver makes grey by the weights of BT.709.
  private static func greyLevel(_ bar: (name: String, red: Int, green: Int, blue: Int)) -> Int {
    let level = 0.2126 * Double(bar.red) + 0.7152 * Double(bar.green) + 0.0722 * Double(bar.blue)
    return Int((16 + 219 * level / 255).rounded())
  }

  /// The value of a frame at a place.
  static func value(_ frame: VideoFrame, x: Int, y: Int) -> (y: Int, u: Int, v: Int) {
    let chroma = y / 2 * frame.strideUV + x / 2
    return (Int(frame.planeY[y * frame.strideY + x]), Int(frame.planeU[chroma]), Int(frame.planeV[chroma]))
  }

  /// What differs by more than 3 from the picture's bars at a height; `nil` if nothing does. Grey layouts have no chroma.
  static func difference(_ frame: VideoFrame, isGrey: Bool = false, tolerance: Int = 3) -> String? {
    for (index, bar) in bars.enumerated() {
      let place = (frame.width * (2 * index + 1) / 16, frame.height / 2)
      if let difference = difference(frame, x: place.0, y: place.1, bar: index, isGrey: isGrey, tolerance: tolerance) {
        return "\(bar.name): \(difference)"
      }
    }
    return nil
  }

  static func difference(
    _ frame: VideoFrame, x: Int, y: Int, bar: Int, isGrey: Bool = false, tolerance: Int = 3
  ) -> String? {
    let found = value(frame, x: x, y: y)
    var wanted = expected(bars[bar])
    if isGrey { wanted = (greyLevel(bars[bar]), 128, 128) }
    let worst = max(abs(found.y - wanted.y), abs(found.u - wanted.u), abs(found.v - wanted.v))
    return worst > tolerance ? "\(found) instead of \(wanted)" : nil
  }
}
