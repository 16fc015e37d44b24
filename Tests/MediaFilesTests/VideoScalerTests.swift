import MediaBase
import PictureFiles
import Testing

@Suite struct VideoScalerTests {
  @Test(arguments: [(320, 180), (160, 90), (1_280, 720), (639, 361), (1, 1)])
  func `a picture keeps colour, time and rotation`(width: Int, height: Int) {
    let original = flatPicture(640, 360, y: 120, u: 90, v: 170)
    original.captureTime = MediaInstant(nanoseconds: 5)
    original.rotation = 90
    let scaled = VideoScaler().scale(original, width: width, height: height)
    #expect(largestDifference(scaled, flatPicture(width, height, y: 120, u: 90, v: 170)) <= 1)
    #expect(scaled.captureTime == MediaInstant(nanoseconds: 5))
    #expect(scaled.rotation == 90)
  }

  @Test func `a picture of the right size or for an impossible one is passed on`() {
    let original = flatPicture(64, 64, y: 120)
    #expect(VideoScaler().scale(original, width: 64, height: 64) === original)
    #expect(VideoScaler().scale(original, width: 0, height: 64) === original)
    #expect(VideoScaler().scale(original, width: 64, height: 100_000) === original)
    #expect(VideoScaler().fill(original, width: 0, height: -1) === original)
  }

  @Test(arguments: [(320, 100), (100, 320)])
  func `filling takes the middle and distorts nothing`(width: Int, height: Int) {
    // Bright edges of 60 pixels to every side of a dark square of 200x200.
    let original = flatPicture(320, 320, y: 200)
    for y in 60..<260 { (original.planeY + y * original.strideY + 60).update(repeating: 40, count: 200) }
    // A third of one side is used: 320x100, all of it in the other direction.
    let filled = VideoScaler().fill(original, width: width, height: height)
    #expect(filled.width == width)
    #expect(filled.height == height)
    func luma(_ x: Int, _ y: Int) -> UInt8 { filled.planeY[y * filled.strideY + x] }
    #expect(luma(width / 2, height / 2) == 40)
    let (along, across) = width > height ? ((30, 50), (160, 2)) : ((50, 30), (2, 160))
    #expect(luma(along.0, along.1) == 200)
    #expect(luma(across.0, across.1) == 40)
  }
}
