import CDeviceShims
import CV4L2
import CYUV
import Glibc
import LinuxIO
import MediaBase

/// An open camera with its buffers.
final class CameraHandle: @unchecked Sendable {
  // @unchecked: opened by one thread, then used by the one that it is handed to alone.

  struct Buffer {
    var memory: UnsafeMutableRawPointer
    var length: Int
  }

  /// What `dequeue` brought.
  enum Dequeued {
    /// `sequence` counts the driver's pictures, with those that it had no buffer for.
    case picture(index: UInt32, byteCount: Int, time: MediaInstant, sequence: UInt32)
    /// A picture that the driver marked as broken.
    case broken(index: UInt32)
    case nothing
  }

  private static let bufferCount: UInt32 = 4
  /// Its value is of no use; making it silences the library once.
  private static let silence: Void = cds_v4l2_silence()

  let descriptor: Int32
  let title: String
  private(set) var identity = CameraIdentity(bus: "", card: "")
  private let path: String
  var format = CameraPixelFormat.yuyv
  var colour = CameraColour.standard
  var width = 0
  var height = 0
  var bytesPerLine = 0
  /// Memory for conversions.
  var scratch: [UInt8] = []
  let decoder = JPEGPictureDecoder()
  /// Whether libv4l2 stands between, to convert.
  private(set) var usesLibrary = false
  private(set) var buffers: [Buffer] = []
  private var isStreaming = false

  /// Opens the device and checks that it is a camera.
  init(path: String) throws(MediaDeviceError) {
    self.path = path
    title = "Camera \(path)"
    _ = Self.silence
    descriptor = cds_open(path)
    guard descriptor >= 0 else { throw Self.error(errno, path: path, title: title, "opening", isOpen: false) }
    var capability = v4l2_capability()
    guard cds_ioctl(descriptor, cds_VIDIOC_QUERYCAP, &capability) == 0 else {
      throw .unsupportedFormat(name: title, detail: "it is not a V4L2 device")
    }
    guard capability.canCapture else {
      throw .unsupportedFormat(name: title, detail: "it delivers no pictures that can be streamed")
    }
    identity = CameraIdentity(capability)
  }

  /// Has libv4l2 stand between from here on.
  func useLibrary() { usesLibrary = v4l2_fd_open(descriptor, 0) >= 0 }

  deinit {
    guard descriptor >= 0 else { return }
    stopStreaming()
    if usesLibrary { v4l2_close(descriptor) } else { close(descriptor) }
  }

  /// One request, repeated when a signal interrupts it. 0 or an `errno`.
  func request<Argument>(_ code: UInt, _ argument: inout Argument) -> Int32 {
    withUnsafeMutablePointer(to: &argument) { pointer in
      while (usesLibrary ? cds_v4l2_ioctl : cds_ioctl)(descriptor, code, pointer) != 0 {
        if errno != EINTR { return errno }
      }
      return 0
    }
  }

  func error(_ code: Int32, _ operation: String) -> MediaDeviceError {
    Self.error(code, path: path, title: title, operation, isOpen: true)
  }

  private static func error(
    _ code: Int32, path: String, title: String, _ operation: String, isOpen: Bool
  ) -> MediaDeviceError {
    switch code {
    case ENOENT: return .notFound(name: title)
    case ENODEV, ENXIO: return isOpen ? .disconnected(name: title) : .notFound(name: title)
    case EACCES, EPERM: return .noPermission(name: title)
    case EBUSY: return .busy(name: title, holder: DeviceHolder.find(path))
    default:
      return .system(name: title, operation: operation, code: code, detail: SystemErrorText.describe(code))
    }
  }
}

extension CameraHandle {
  /// Asks for buffers, maps and queues them, and starts the stream.
  func startStreaming() throws(MediaDeviceError) {
    var wanted = v4l2_requestbuffers()
    wanted.count = Self.bufferCount
    wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    wanted.memory = V4L2_MEMORY_MMAP.rawValue
    var status = request(cds_VIDIOC_REQBUFS, &wanted)
    guard status == 0 else { throw error(status, "asking for buffers") }
    for index in 0..<wanted.count {
      var buffer = emptyBuffer(index)
      status = request(cds_VIDIOC_QUERYBUF, &buffer)
      guard status == 0 else { throw error(status, "asking for a buffer") }
      guard let memory = (usesLibrary ? cds_v4l2_map : cds_map)(descriptor, buffer.length, buffer.m.offset) else {
        throw error(errno, "mapping a buffer")
      }
      buffers.append(Buffer(memory: memory, length: Int(buffer.length)))
      try enqueue(index)
    }
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    status = request(cds_VIDIOC_STREAMON, &type)
    guard status == 0 else { throw error(status, "starting") }
    isStreaming = true
  }

  /// Ends the stream and gives the buffers back, so that another format can be set.
  func stopStreaming() {
    if isStreaming {
      var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      _ = request(cds_VIDIOC_STREAMOFF, &type)
    }
    isStreaming = false
    for buffer in buffers {
      if usesLibrary { v4l2_munmap(buffer.memory, buffer.length) } else { munmap(buffer.memory, buffer.length) }
    }
    guard !buffers.isEmpty else { return }
    buffers = []
    var none = v4l2_requestbuffers()
    none.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    none.memory = V4L2_MEMORY_MMAP.rawValue
    _ = request(cds_VIDIOC_REQBUFS, &none)
  }

  /// Gives a buffer to the driver.
  func enqueue(_ index: UInt32) throws(MediaDeviceError) {
    var buffer = emptyBuffer(index)
    let status = request(cds_VIDIOC_QBUF, &buffer)
    guard status == 0 else { throw error(status, "queueing a buffer") }
  }

  /// Takes a filled buffer, if there is one.
  func dequeue() throws(MediaDeviceError) -> Dequeued {
    var buffer = emptyBuffer(0)
    let status = request(cds_VIDIOC_DQBUF, &buffer)
    if status == EAGAIN { return .nothing }
    guard status == 0 else { throw error(status, "taking a picture") }
    guard Int(buffer.index) < buffers.count else { throw error(EINVAL, "taking a picture") }
    if buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 { return .broken(index: buffer.index) }
    let isMonotonic = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
    let stamp = Int64(buffer.timestamp.tv_sec) &* 1_000_000_000 &+ Int64(buffer.timestamp.tv_usec) &* 1_000
    let now = MonotonicClock.now()
    // Some drivers name the end of the exposure in advance: no picture may come from the future.
    let time = isMonotonic && stamp > 0 ? min(MediaInstant(nanoseconds: stamp), now) : now
    return .picture(
      index: buffer.index, byteCount: Int(buffer.bytesused), time: time, sequence: buffer.sequence)
  }

  private func emptyBuffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return buffer
  }
}
