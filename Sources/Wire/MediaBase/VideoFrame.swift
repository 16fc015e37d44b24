import Synchronization

/// One picture in I420 (planar YUV 4:2:0, BT.601 limited range), shared between threads once it is filled.
///
/// Frames come from a `VideoFramePool`, which takes the memory back when the last reference goes. Whoever fills a frame
/// does so before handing it on; after that nobody writes to it.
public final class VideoFrame: @unchecked Sendable {
  // @unchecked: the planes are written only by the thread that took the frame from its pool, before it hands it on.

  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// Bytes from one row of luma to the next.
  public let strideY: Int
  /// Bytes from one row of either chroma plane to the next.
  public let strideUV: Int
  /// When the picture was captured, on the monotonic clock.
  public var captureTime: MediaInstant
  /// Clockwise rotation in degrees that a renderer has to apply: 0, 90, 180 or 270.
  public var rotation: Int = 0

  /// First byte of the luma plane: `strideY * height` bytes.
  public let planeY: UnsafeMutablePointer<UInt8>
  /// First byte of the Cb plane: `strideUV * chromaHeight` bytes.
  public let planeU: UnsafeMutablePointer<UInt8>
  /// First byte of the Cr plane: `strideUV * chromaHeight` bytes.
  public let planeV: UnsafeMutablePointer<UInt8>

  private let storage: UnsafeMutableRawPointer
  private let pool: VideoFramePool?
  /// Whose memory this is, if it is another frame's.
  private let owner: VideoFrame?

  /// Chroma width: half the width, rounded up.
  public var chromaWidth: Int { (width + 1) / 2 }
  /// Chroma height: half the height, rounded up.
  public var chromaHeight: Int { (height + 1) / 2 }

  /// A frame outside any pool; for tests and rare sizes.
  public convenience init(width: Int, height: Int, captureTime: MediaInstant = .zero) {
    let layout = VideoFramePool.Layout(width: width, height: height)
    self.init(
      layout: layout, captureTime: captureTime,
      storage: .allocate(byteCount: layout.byteCount, alignment: VideoFramePool.alignment), pool: nil)
  }

  init(
    layout: VideoFramePool.Layout, captureTime: MediaInstant, storage: UnsafeMutableRawPointer, pool: VideoFramePool?
  ) {
    width = layout.width
    height = layout.height
    strideY = layout.strideY
    strideUV = layout.strideUV
    self.captureTime = captureTime
    self.storage = storage
    self.pool = pool
    owner = nil
    let base = storage.assumingMemoryBound(to: UInt8.self)
    planeY = base
    planeU = base + layout.strideY * layout.height
    planeV = planeU + layout.strideUV * ((layout.height + 1) / 2)
  }

  private init(sharing owner: VideoFrame, captureTime: MediaInstant) {
    (width, height, strideY, strideUV) = (owner.width, owner.height, owner.strideY, owner.strideUV)
    (planeY, planeU, planeV) = (owner.planeY, owner.planeU, owner.planeV)
    (storage, pool) = (owner.storage, nil)
    self.owner = owner
    self.captureTime = captureTime
    rotation = owner.rotation
  }

  /// The same picture in the same memory, captured at another time.
  package func captured(at time: MediaInstant) -> VideoFrame { VideoFrame(sharing: owner ?? self, captureTime: time) }

  deinit {
    guard owner == nil else { return }
    guard let pool else {
      storage.deallocate()
      return
    }
    pool.giveBack(storage, width: width, height: height)
  }
}
