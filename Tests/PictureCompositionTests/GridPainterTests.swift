import MediaBase
import PictureComposition
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct GridPainterTests {
  private func flat(_ width: Int, _ height: Int, y: UInt8, u: UInt8 = 128, v: UInt8 = 128) -> VideoFrame {
    let frame = VideoFrame(width: width, height: height)
    frame.planeY.update(repeating: y, count: frame.strideY * height)
    frame.planeU.update(repeating: u, count: frame.strideUV * frame.chromaHeight)
    frame.planeV.update(repeating: v, count: frame.strideUV * frame.chromaHeight)
    return frame
  }

  private func luma(_ frame: VideoFrame, _ x: Int, _ y: Int) -> Int { Int(frame.planeY[y * frame.strideY + x]) }

  /// Samples of a part of the picture.
  private func values(_ frame: VideoFrame, _ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
    rows.flatMap { row in columns.map { luma(frame, $0, row) } }
  }

  @Test func `everybody's picture is in their place, and nothing else`() {
    let tiles = (0..<5).map { (index: Int) -> GridTile in
      let (y, u) = (UInt8(60 + 30 * index), UInt8(90 + 10 * index))
      return GridTile(picture: flat(64, 36, y: y, u: u))
    }
    let picture = GridPainter().paint(tiles, width: 1_280, height: 720)
    for (index, area) in GridLayout.areas(count: 5, width: 1_280, height: 720).enumerated() {
      let (right, bottom) = (area.x + area.width - 1, area.y + area.height - 1)
      let points = [(area.x, area.y), (right, area.y), (area.x, bottom), (right - 100, bottom - 100)]
      for point in points {
        let chroma: UInt8 = picture.planeU[point.1 / 2 * picture.strideUV + point.0 / 2]
        #expect(luma(picture, point.0, point.1) == 60 + 30 * index)
        #expect(Int(chroma) == 90 + 10 * index)
      }
    }
    #expect(luma(picture, 0, 0) < 30 && luma(picture, 1_279, 719) < 30)
  }

  @Test func `a high picture is cut off, surrounded by dark, or what fits its place better`() {
    let high = flat(90, 160, y: 200)
    func corners(_ mode: VideoRenderMode, _ width: Int, _ height: Int) -> [Int] {
      let picture = GridPainter().paint([GridTile(picture: high, renderMode: mode)], width: width, height: height)
      return [luma(picture, 2, height / 2), luma(picture, width / 2, height / 2)]
    }
    #expect(corners(.hidden, 320, 180) == [200, 200])
    #expect(corners(.fit, 320, 180)[0] < 30 && corners(.fit, 320, 180)[1] == 200)
    #expect(corners(.adaptive, 320, 180) == corners(.fit, 320, 180))
    #expect(corners(.adaptive, 150, 300) == [200, 200])
  }

  @Test func `pictures are shown upright, and mirrored where that is wanted`() {
    let frame = flat(64, 64, y: 50)
    // The left half is bright.
    for row in 0..<64 { (frame.planeY + row * frame.strideY).update(repeating: 220, count: 32) }
    func halves(_ tile: GridTile) -> [Bool] {
      let picture = GridPainter().paint([tile], width: 64, height: 64)
      return [luma(picture, 8, 20), luma(picture, 56, 20), luma(picture, 32, 4), luma(picture, 32, 40)].map { $0 > 128 }
    }
    #expect(halves(GridTile(picture: frame)).prefix(2) == [true, false])
    #expect(halves(GridTile(picture: frame, isMirrored: true)).prefix(2) == [false, true])
    frame.rotation = 90
    #expect(halves(GridTile(picture: frame)).suffix(2) == [true, false])
  }

  @Test func `names are written, in whatever script, and cut off where they are too long`() {
    func bright(_ name: String, hasPicture: Bool = true) -> Int {
      let tile = GridTile(picture: hasPicture ? flat(64, 36, y: 90) : nil, name: name)
      let picture = GridPainter().paint([tile, tile], width: 640, height: 360)
      return values(picture, 0..<640, 0..<360).count { $0 > 180 }
    }
    #expect(bright("") == 0)
    let (short, long) = (bright("Ann"), bright("Annabel Lee"))
    #expect(short > 20 && long > short)
    #expect(bright("Ωμέγα") > 20)
    // A name without a picture stands in the middle, larger.
    #expect(bright("Ann", hasPicture: false) > short)
    let endless = bright(String(repeating: "endless ", count: 10_000))
    #expect(endless > long && endless < 20_000)
    #expect(bright("a\0b\nc\u{202E}d") > 0)
  }

  @Test func `loudness is a bar, and muted people have a red sign`() {
    func counts(_ level: Int, _ isMuted: Bool) -> (green: Int, red: Int) {
      let tile = GridTile(picture: flat(64, 36, y: 90), level: level, isMuted: isMuted)
      let picture = GridPainter().paint([tile], width: 640, height: 360)
      var (green, red) = (0, 0)
      for row in 0..<picture.chromaHeight {
        for column in 0..<picture.chromaWidth {
          let v = picture.planeV[row * picture.strideUV + column]
          if v < 90 { green += 1 }
          if v > 180 { red += 1 }
        }
      }
      return (green, red)
    }
    #expect(counts(0, false) == (0, 0))
    #expect(counts(40, false).green > 0 && counts(250, false).green > 2 * counts(40, false).green)
    #expect(counts(100_000, false).green == counts(255, false).green)
    #expect(counts(250, true).green == 0 && counts(250, true).red > 10)
  }

  @Test(arguments: [(16, 16), (1, 1), (17, 33), (0, -5), (641, 361)])
  func `any size and any number of people is painted`(_ width: Int, _ height: Int) {
    let painter = GridPainter()
    for count in [0, 1, 2, 7, 65] {
      let tile = GridTile(picture: flat(31, 17, y: 90), name: "somebody", level: 300, isMuted: count == 7)
      let picture = painter.paint([GridTile](repeating: tile, count: count), width: width, height: height)
      #expect(picture.width == max(16, width) && picture.height == max(16, height))
    }
  }

  @Test func `a grid lays itself out anew as people come and go`() async throws {
    let output = LastPicture()
    let grid = VideoGrid(width: 320, height: 180, output: output)
    let first = grid.renderer(for: 1, name: "", renderMode: .hidden)
    let second = grid.renderer(for: 2, name: "", renderMode: .hidden)
    first.render(flat(64, 36, y: 100))
    second.render(flat(64, 36, y: 200))
    func shows(_ left: ClosedRange<Int>, _ right: ClosedRange<Int>) async -> Bool {
      for _ in 0..<1_000 {
        if let picture = output.picture, picture.width == 320, left.contains(luma(picture, 80, 60)),
          right.contains(luma(picture, 240, 60))
        {
          return true
        }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
    #expect(await shows(100...100, 200...200))
    grid.remove(1)
    #expect(await shows(200...200, 200...200))
    // Late pictures of somebody who has gone do not bring them back.
    first.render(flat(64, 36, y: 100))
    second.finish()
    #expect(await shows(30...60, 30...60))
    grid.setSize(width: 160, height: 90)
    for _ in 0..<1_000 where output.picture?.width != 160 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(output.picture?.width == 160 && grid.picture().width == 160)
    grid.finish()
    grid.finish()
    #expect(output.isFinished)
  }
}

private final class LastPicture: VideoRenderer {
  private let state = Mutex<(picture: VideoFrame?, isFinished: Bool)>((nil, false))

  var picture: VideoFrame? { state.withLock { $0.picture } }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func render(_ frame: VideoFrame) { state.withLock { $0.picture = frame } }
  func finish() { state.withLock { $0.isFinished = true } }
}
