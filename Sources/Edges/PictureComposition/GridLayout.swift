/// Where the pictures of several people go: in rows and columns, as large as they can be.
public enum GridLayout {
  /// A part of a picture, in pixels; every number is even, so that luma and chroma stay together.
  public struct Area: Hashable, Sendable {
    /// Left edge.
    public var x: Int
    /// Upper edge.
    public var y: Int
    /// Columns.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Makes an area.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// More people than this are not shown.
  public static let mostTiles = 64

  /// One area for each of `count` people in a picture of `width` by `height` pixels.
  ///
  /// Of all numbers of columns the one is taken that leaves the largest 16:9 picture to everybody. A last row that is not
  /// full stands in the middle. One person gets everything. Empty if there is no room: less than 16 pixels for somebody.
  public static func areas(count: Int, width: Int, height: Int, gap: Int = 4) -> [Area] {
    guard count > 0, width >= 16, height >= 16, width <= 16_384, height <= 16_384 else { return [] }
    guard count > 1 else { return [Area(x: 0, y: 0, width: width & ~1, height: height & ~1)] }
    let count = min(count, mostTiles)
    let gap = max(0, gap) & ~1
    func side(_ whole: Int, _ parts: Int) -> Int { (whole - gap * (parts + 1)) / parts & ~1 }
    func pictureWidth(_ columns: Int) -> Int {
      min(side(width, columns), side(height, (count + columns - 1) / columns) * 16 / 9)
    }
    let columns = (1...count).max { pictureWidth($0) < pictureWidth($1) } ?? 1
    let rows = (count + columns - 1) / columns
    let (tileWidth, tileHeight) = (side(width, columns), side(height, rows))
    guard tileWidth >= 16, tileHeight >= 16 else { return [] }
    return (0..<count).map { index in
      let (row, column) = (index / columns, index % columns)
      let inRow = row == rows - 1 ? count - row * columns : columns
      let rowWidth = inRow * tileWidth + (inRow - 1) * gap
      return Area(
        x: ((width - rowWidth) / 2 & ~1) + column * (tileWidth + gap), y: gap + row * (tileHeight + gap),
        width: tileWidth, height: tileHeight)
    }
  }
}
