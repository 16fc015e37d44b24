import MediaBase
import PictureComposition
import StoredPictures
import SyntheticMedia
import Testing

/// Grids as a whole, beside pictures that somebody has looked at.
@Suite struct StoredGridTests {
  private static func person(
    _ name: String, _ seconds: Double, _ width: Int = 320, _ height: Int = 180, level: Int = 0, isMuted: Bool = false,
    mode: VideoRenderMode = .hidden, isMirrored: Bool = false
  ) -> GridTile {
    let picture = TestPattern(width: width, height: height).frame(atSeconds: seconds, captureTime: .zero)
    return GridTile(
      picture: picture, name: name, level: level, isMuted: isMuted, renderMode: mode, isMirrored: isMirrored)
  }

  private static let grids: [(name: String, width: Int, height: Int, tiles: [GridTile])] = [
    ("one-loud", 640, 360, [person("Annabel", 1, level: 230)]),
    ("two-high", 360, 640, [person("left", 2), person("mirrored", 2, isMirrored: true)]),
    (
      "three-ways-to-fill", 960, 540,
      [
        person("cut", 3, 180, 320), person("whole", 3, 180, 320, mode: .fit),
        GridTile(name: "no picture", isMuted: true),
      ]
    ),
    (
      "seven", 1_280, 720,
      (0..<7).map { person("user \($0)", Double($0) * 5, level: $0 * 40, isMuted: $0 % 3 == 2) }
    ),
  ]

  @Test(arguments: grids.indices) func `a grid looks like its stored picture`(_ index: Int) throws {
    let grid = Self.grids[index]
    let picture = GridPainter().paint(grid.tiles, width: grid.width, height: grid.height)
    #expect(try StoredPicture(grid.name).difference(from: picture) == nil)
  }

  @Test(.enabled(if: !StoredPicture.isStoring)) func `a name, a sign, a colour or a place that is wrong is found`()
    throws
  {
    func difference(_ name: String, _ change: (inout [GridTile]) -> Void) throws -> String? {
      guard let grid = Self.grids.first(where: { $0.name == name }) else { return nil }
      var tiles = grid.tiles
      change(&tiles)
      let picture = GridPainter().paint(tiles, width: grid.width, height: grid.height)
      return try StoredPicture(name).difference(from: picture, isMeant: true)
    }
    #expect(try difference("one-loud") { $0[0].name = "" } != nil)
    #expect(try difference("one-loud") { $0[0].level = 20 } != nil)
    #expect(try difference("two-high") { $0[1].isMirrored = false } != nil)
    #expect(try difference("three-ways-to-fill") { $0[1].renderMode = .hidden } != nil)
    #expect(try difference("one-loud") { $0[0].isMuted = true } != nil)
    #expect(try difference("seven") { $0.swapAt(0, 1) } != nil)
  }
}
