/// How much of a colour each pixel gets, 0 to 255: text, or a sign.
struct AlphaImage {
  var width: Int
  var height: Int
  /// `width * height` bytes, row by row.
  var bytes: [UInt8]

  static let empty = AlphaImage(width: 0, height: 0, bytes: [])
}
