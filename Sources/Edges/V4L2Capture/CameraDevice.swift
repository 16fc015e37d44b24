import CDeviceShims
import CV4L2
import Glibc

/// A camera that V4L2 knows.
public struct CameraDevice: Hashable, Sendable {
  /// What to give to `CameraSource`, such as `/dev/video0`.
  public var path: String
  /// A name for people, from its driver.
  public var name: String

  /// Makes a description from its parts.
  public init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// The cameras of this machine, by number. Those that this user may not open are listed too, with a name that says so.
  public static func list() -> [CameraDevice] {
    numbers().compactMap { number in
      let path = "/dev/video\(number)"
      let descriptor = cds_open(path)
      guard descriptor >= 0 else {
        return errno == EACCES ? CameraDevice(path: path, name: "no permission to open it") : nil
      }
      defer { close(descriptor) }
      var capability = v4l2_capability()
      guard cds_ioctl(descriptor, cds_VIDIOC_QUERYCAP, &capability) == 0, capability.canCapture else { return nil }
      return CameraDevice(path: path, name: capability.cardName)
    }
  }

  private static func numbers() -> [Int] {
    guard let directory = opendir("/dev") else { return [] }
    defer { closedir(directory) }
    var numbers: [Int] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("video"), let number = Int(name.dropFirst(5)) { numbers.append(number) }
    }
    return numbers.sorted()
  }
}

extension v4l2_capability {
  /// Whether this node delivers pictures that can be streamed; the other nodes of a camera carry metadata.
  var canCapture: Bool {
    let hasOwn = capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let flags = hasOwn ? device_caps : capabilities
    // Touch sensors deliver pictures too, of fingers.
    let isTouch = flags & UInt32(V4L2_CAP_TOUCH) != 0
    return flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0 && !isTouch
  }

  /// The driver's name for the device.
  var cardName: String {
    withUnsafeBytes(of: card) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
