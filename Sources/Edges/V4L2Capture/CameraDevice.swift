import CDeviceShims
import CV4L2
import Glibc
import LinuxIO
import MediaBase

/// A camera that V4L2 knows.
public struct CameraDevice: Hashable, Sendable {
  /// What to give to `CameraSource`, such as `/dev/video0`.
  public var path: String
  /// A name for people, from its driver.
  public var name: String
  /// Where it is plugged in, such as `usb-0000:00:14.0-1`; empty if it may not be opened.
  public var bus = ""
  /// The driver's name.
  public var driver = ""

  /// Makes a description from its parts.
  public init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// The cameras of this machine, by number. Those that cannot be opened (no permission, in use) are listed too; `problem()` says so.
  public static func list() -> [CameraDevice] {
    numbers().compactMap { number in
      let path = "/dev/video\(number)"
      let descriptor = cds_open(path)
      guard descriptor >= 0 else {
        return [EACCES, EPERM, EBUSY].contains(errno) ? CameraDevice(path: path, name: kernelName(number)) : nil
      }
      defer { close(descriptor) }
      guard let capability = capability(descriptor) else { return nil }
      var device = CameraDevice(path: path, name: capability.cardName)
      device.bus = capability.busName
      device.driver = capability.driverName
      return device
    }
  }

  /// The cameras that can be opened, and what they are known by.
  static func identities() -> [(path: String, identity: CameraIdentity)] {
    numbers().compactMap { number in
      let path = "/dev/video\(number)"
      let descriptor = cds_open(path)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return capability(descriptor).map { (path, CameraIdentity($0)) }
    }
  }

  /// What the kernel calls a device, which everybody may read.
  private static func kernelName(_ number: Int) -> String {
    guard let file = fopen("/sys/class/video4linux/video\(number)/name", "re") else { return "unknown" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }

  private static func capability(_ descriptor: Int32) -> v4l2_capability? {
    var capability = v4l2_capability()
    guard cds_ioctl(descriptor, cds_VIDIOC_QUERYCAP, &capability) == 0, capability.canCapture else { return nil }
    return capability
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

extension CameraDevice {
  /// One way in which a camera can deliver pictures.
  public struct Mode: Hashable, Sendable {
    /// The layout's four characters, such as `YUYV` or `MJPG`.
    public var format: String
    /// What the driver calls the layout.
    public var formatName: String
    /// Whether it can be used here.
    public var isUsable: Bool
    /// Pixels; of a camera with any size up to a greatest one, that one.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Frames per second, the highest first; empty where the driver does not say.
    public var frameRates: [Double]
  }

  /// What the camera can deliver, as its driver lists it.
  public func modes() throws(MediaDeviceError) -> [Mode] {
    let capabilities = CameraCapabilities(try CameraHandle(path: path))
    return capabilities.layouts.flatMap { layout -> [Mode] in
      let sizes: [(width: Int, height: Int)]
      switch capabilities.sizes(of: layout.code) {
      case .discrete(let list): sizes = list
      case .range(let width, let height): sizes = [(width.most, height.most)]
      }
      return sizes.map { size in
        Mode(
          format: CameraPixelFormat.name(of: layout.code), formatName: layout.title,
          isUsable: CameraPixelFormat(code: layout.code) != nil, width: size.width, height: size.height,
          frameRates: capabilities.rates(of: layout.code, width: size.width, height: size.height))
      }
    }
  }

  /// What can be set at the camera, with its present values. Also while it is in use.
  public func controls() throws(MediaDeviceError) -> [CameraControl] { try CameraHandle(path: path).controls }

  /// Sets a control, at once, also while the camera is in use.
  public func setControl(_ id: UInt32, to value: Int) throws(MediaDeviceError) {
    let handle = try CameraHandle(path: path)
    let status = handle.setControl(id, value)
    guard status == 0 else { throw handle.error(status, "setting a control") }
  }

  /// What keeps the camera from being used now: permission, another program, a driver without pictures. `nil` if nothing
  /// does.
  public func problem() -> MediaDeviceError? {
    do throws(MediaDeviceError) {
      let handle = try CameraHandle(path: path)
      return handle.isBusy ? handle.error(EBUSY, "opening") : nil
    } catch {
      return error
    }
  }
}

extension CameraHandle {
  /// Whether somebody else has its stream: then no buffers can be asked for.
  fileprivate var isBusy: Bool {
    var wanted = v4l2_requestbuffers()
    wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    wanted.memory = V4L2_MEMORY_MMAP.rawValue
    return request(cds_VIDIOC_REQBUFS, &wanted) == EBUSY
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
  var cardName: String { Self.text(card) }

  /// Where it is plugged in.
  var busName: String { Self.text(bus_info) }

  var driverName: String { Self.text(driver) }

  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
