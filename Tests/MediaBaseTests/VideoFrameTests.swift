import Dispatch
import MediaBase
import Testing

@Suite("Video frames and their pool") struct VideoFrameTests {
  @Test(
    "planes have room for every row, do not overlap, and start aligned",
    arguments: [
      (1, 1), (2, 2), (3, 5), (63, 63), (64, 64), (65, 1), (1, 65), (1_279, 719), (16_384, 1), (1, 16_384),
    ])
  func planes(width: Int, height: Int) {
    let frame = VideoFramePool().frame(width: width, height: height, captureTime: .zero)
    #expect(frame.strideY >= width && frame.chromaWidth * 2 >= width && frame.chromaHeight * 2 >= height)
    #expect(frame.strideUV >= frame.chromaWidth)
    #expect(frame.planeU - frame.planeY >= frame.strideY * height)
    #expect(frame.planeV - frame.planeU >= frame.strideUV * frame.chromaHeight)
    for plane in [frame.planeY, frame.planeU, frame.planeV] { #expect(UInt(bitPattern: plane) % 64 == 0) }
    // Every byte can be written, and no plane changes another.
    frame.planeY.update(repeating: 1, count: frame.strideY * height)
    frame.planeU.update(repeating: 2, count: frame.strideUV * frame.chromaHeight)
    frame.planeV.update(repeating: 3, count: frame.strideUV * frame.chromaHeight)
    #expect(frame.planeY[frame.strideY * height - 1] == 1)
    #expect(frame.planeU[0] == 2 && frame.planeU[frame.strideUV * frame.chromaHeight - 1] == 2 && frame.planeV[0] == 3)
  }

  @Test("memory of the same size comes back; of another size it does not")
  func reuse() {
    let pool = VideoFramePool(keepAtMost: 1)
    func memory(_ width: Int, _ height: Int) -> UnsafeMutablePointer<UInt8> {
      pool.frame(width: width, height: height, captureTime: .zero).planeY
    }
    let first = memory(640, 360)
    #expect(memory(640, 360) == first)
    let (one, two) = (
      pool.frame(width: 640, height: 360, captureTime: .zero), pool.frame(width: 640, height: 360, captureTime: .zero)
    )
    #expect(one.planeY != two.planeY)
    // 640 x 360 and 360 x 640 have equal areas but other strides.
    let turned = pool.frame(width: 360, height: 640, captureTime: .zero)
    #expect(turned.strideY == 384)
    withExtendedLifetime((one, two, turned)) {}
  }

  @Test("frames outlive their pool, and many threads may take, write and let go at once")
  func manyThreads() {
    var last: VideoFrame?
    do {
      let pool = VideoFramePool(keepAtMost: 2)
      last = pool.frame(width: 16, height: 16, captureTime: .zero)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for number in 0..<500 {
          // Two sizes, so that what is kept is dropped all the time.
          let frame = pool.frame(width: 16, height: number % 50 < 25 ? 16 : 8, captureTime: .zero)
          frame.planeY.update(repeating: UInt8(thread), count: frame.strideY * frame.height)
          let isOurs = (0..<frame.strideY * frame.height).allSatisfy { frame.planeY[$0] == UInt8(thread) }
          if !isOurs { Issue.record("two frames share memory") }
        }
      }
    }
    last?.planeV[0] = 9
    #expect(last?.planeV[0] == 9)
  }
}
