import MediaBase
import PictureFiles
import Testing

@Suite struct PNGFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: [(1, 1), (17, 33), (640, 360), (641, 359)])
  func `a picture comes back from a file`(width: Int, height: Int) throws {
    let original = flatPicture(width, height, y: 120, u: 100, v: 160)
    let path = folder.path("a.png")
    try PNGFile.write(original, to: path)
    #expect(largestDifference(original, try PNGFile.read(path)) <= 2)
    // Nothing else is left behind.
    #expect(folder.contents == ["a.png"])
  }

  @Test func `brightness of a moving pattern comes back`() throws {
    let original = picture(640, 360)
    let path = folder.path("a.png")
    try PNGFile.write(original, to: path)
    let again = try PNGFile.read(path)
    var sum = 0
    for y in 0..<360 {
      for x in 0..<640 {
        sum += abs(Int(original.planeY[y * original.strideY + x]) - Int(again.planeY[y * again.strideY + x]))
      }
    }
    // Some of its colours lie outside RGB and are cut there.
    #expect(Double(sum) / (640 * 360) < 3)
  }

  @Test(arguments: [(90, 20, 40), (180, 40, 20), (270, 20, 40)])
  func `a turned picture is written upright`(rotation: Int, width: Int, height: Int) throws {
    let original = flatPicture(40, 20, y: 50)
    // The top left corner is bright.
    for y in 0..<8 { (original.planeY + y * original.strideY).update(repeating: 200, count: 8) }
    original.rotation = rotation
    try PNGFile.write(original, to: folder.path("a.png"))
    let again = try PNGFile.read(folder.path("a.png"))
    #expect(again.width == width)
    #expect(again.height == height)
    let (x, y) = rotation == 90 ? (width - 3, 3) : rotation == 180 ? (width - 3, height - 3) : (3, height - 3)
    #expect(again.planeY[y * again.strideY + x] > 180)
    #expect(again.planeY[(height / 2) * again.strideY + width / 2] < 70)
  }

  @Test func `a file that cannot be used is named with the reason`() throws {
    #expect(
      failure { () throws(MediaDeviceError) in _ = try PNGFile.read("/nowhere/a.png") }
        == .notFound(name: "/nowhere/a.png"))
    let frame = flatPicture(4, 4, y: 20)
    #expect(failure { () throws(MediaDeviceError) in try PNGFile.write(frame, to: "/nowhere/a.png") } != nil)
    try PNGFile.write(picture(64, 64), to: folder.path("a.png"))
    let bytes = try folder.bytes("a.png")
    for count in [0, 1, 8, 20, 33, bytes.count / 2] {
      let path = try folder.file("cut.png", Array(bytes.prefix(count)))
      let error = failure { () throws(MediaDeviceError) in _ = try PNGFile.read(path) }
      #expect(isUnsupported(error), "\(count)")
    }
  }

  @Test func `a header that claims a huge picture takes no memory`() throws {
    try PNGFile.write(picture(16, 16), to: folder.path("a.png"))
    var bytes = try folder.bytes("a.png")
    // Width and height in the IHDR chunk; its CRC no longer fits, which alone would be refused too.
    for index in [16, 20] { bytes.replaceSubrange(index..<(index + 4), with: [0, 0x0F, 0x42, 0x40]) }
    let path = try folder.file("b.png", bytes)
    #expect(isUnsupported(failure { () throws(MediaDeviceError) in _ = try PNGFile.read(path) }))
  }
}
