import Glibc
import MediaBase
import Synchronization

/// Pictures as baseline JPEG files (ITU-T T.81, T.871) with chroma of half the size each way.
package enum JPEGFile {
  private static let writes = Atomic<UInt64>(0)

  /// Writes the picture, turned by its `rotation`. The file appears all at once.
  package static func write(_ frame: VideoFrame, to path: String, quality: Int = 90) throws(MediaDeviceError) {
    let number = writes.wrappingAdd(1, ordering: .relaxed).newValue
    let temporary = "\(path).\(getpid())-\(number).part"
    let bytes = encode(frame, quality: quality)
    do throws(MediaDeviceError) {
      let file = try StoredFile(writing: temporary)
      try file.write(bytes)
      try file.close()
      if rename(temporary, path) != 0 { throw StoredFile.error(path, "putting the new picture in its place", errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The picture as the bytes of a JPEG file.
  ///
  /// - Parameter quality: 1 (small) to 100 (good).
  package static func encode(_ frame: VideoFrame, quality: Int = 90) -> [UInt8] {
    let picture = frame.upright()
    let luminance = scaled(luminanceQuantization, quality)
    let chrominance = scaled(chrominanceQuantization, quality)
    var coder = JPEGBlockCoder()
    var (lastY, lastU, lastV) = (0, 0, 0)
    let luma = Plane(
      start: picture.planeY, stride: picture.strideY, width: picture.width, height: picture.height, isLuma: true)
    let (cb, cr) = (Plane(chroma: picture.planeU, of: picture), Plane(chroma: picture.planeV, of: picture))
    for top in stride(from: 0, to: picture.height, by: 16) {
      for left in stride(from: 0, to: picture.width, by: 16) {
        for (x, y) in [(0, 0), (8, 0), (0, 8), (8, 8)] {
          lastY = coder.write(
            luma.block(left + x, top + y), quantization: luminance, previousDC: lastY, dc: .luminanceDC,
            ac: .luminanceAC)
        }
        lastU = coder.write(
          cb.block(left / 2, top / 2), quantization: chrominance, previousDC: lastU, dc: .chrominanceDC,
          ac: .chrominanceAC)
        lastV = coder.write(
          cr.block(left / 2, top / 2), quantization: chrominance, previousDC: lastV, dc: .chrominanceDC,
          ac: .chrominanceAC)
      }
    }
    coder.finish()
    return header(picture.width, picture.height, luminance, chrominance) + coder.bytes + [0xFF, 0xD9]
  }

  /// One plane, with its samples brought from the limited range of video to the full one of JPEG.
  private struct Plane {
    let start: UnsafeMutablePointer<UInt8>
    let stride: Int
    let width: Int
    let height: Int
    let isLuma: Bool

    init(start: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int, isLuma: Bool) {
      self.start = start
      self.stride = stride
      self.width = width
      self.height = height
      self.isLuma = isLuma
    }

    init(chroma: UnsafeMutablePointer<UInt8>, of frame: VideoFrame) {
      self.init(
        start: chroma, stride: frame.strideUV, width: frame.chromaWidth, height: frame.chromaHeight, isLuma: false)
    }

    /// 64 samples around 0; beyond the picture its edge goes on.
    func block(_ left: Int, _ top: Int) -> [Float] {
      var samples = [Float](repeating: 0, count: 64)
      for y in 0..<8 {
        let row = start + min(top + y, height - 1) * stride
        for x in 0..<8 {
          let sample = Float(row[min(left + x, width - 1)])
          let full = isLuma ? (sample - 16) * 255 / 219 - 128 : (sample - 128) * 255 / 224
          samples[y * 8 + x] = min(127, max(-128, full))
        }
      }
      return samples
    }
  }

  private static func scaled(_ table: [Int], _ quality: Int) -> [Int] {
    let quality = min(100, max(1, quality))
    let factor = quality < 50 ? 5_000 / quality : 200 - 2 * quality
    return table.map { min(255, max(1, ($0 * factor + 50) / 100)) }
  }

  private static func header(_ width: Int, _ height: Int, _ luminance: [Int], _ chrominance: [Int]) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    func segment(_ marker: UInt8, _ payload: [UInt8]) {
      let length = payload.count + 2
      bytes += [0xFF, marker, UInt8(length >> 8 & 255), UInt8(length & 255)] + payload
    }
    segment(0xE0, Array("JFIF\u{0}".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    for (id, table) in [(UInt8(0), luminance), (1, chrominance)] {
      segment(0xDB, [id] + JPEGBlockCoder.zigzag.map { UInt8(table[$0]) })
    }
    segment(
      0xC0,
      [8, UInt8(height >> 8 & 255), UInt8(height & 255), UInt8(width >> 8 & 255), UInt8(width & 255), 3]
        + [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
    let tables: [(UInt8, JPEGHuffmanTable)] = [
      (0x00, .luminanceDC), (0x10, .luminanceAC), (0x01, .chrominanceDC), (0x11, .chrominanceAC),
    ]
    for (id, table) in tables { segment(0xC4, [id] + table.counts + table.symbols) }
    segment(0xDA, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])
    return bytes
  }

  /// The tables of annex K.1, for quality 50.
  private static let luminanceQuantization: [Int] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
  private static let chrominanceQuantization: [Int] = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99,
  ]
}
