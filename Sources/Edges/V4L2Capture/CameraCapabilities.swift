import CDeviceShims
import CV4L2
import MediaBase

/// What a driver says that its camera can do.
struct CameraCapabilities {
  /// A layout of pictures.
  struct Layout {
    var code: UInt32
    /// The driver's words.
    var title: String
  }

  /// Sizes that a camera can deliver: some, or everything between two in steps.
  enum Sizes {
    case discrete([(width: Int, height: Int)])
    case range(width: StrideRange, height: StrideRange)
  }

  /// Numbers from `least` to `most` in steps.
  struct StrideRange {
    var least: Int
    var most: Int
    var step: Int

    /// The number in the range that is nearest to `value`, from above if there is one.
    func nearest(_ value: Int) -> Int {
      let step = max(1, step)
      let clamped = min(max(value, least), most)
      let steps = (clamped - least + step - 1) / step
      return min(most, least + steps * step)
    }
  }

  private let handle: CameraHandle
  /// No driver has more of anything; one that counts on and on is not followed.
  private static let limit: UInt32 = 256

  init(_ handle: CameraHandle) { self.handle = handle }

  /// The layouts of what the camera itself sends.
  var layouts: [Layout] {
    var found: [Layout] = []
    var description = v4l2_fmtdesc()
    description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    while description.index < Self.limit, handle.request(cds_VIDIOC_ENUM_FMT, &description) == 0 {
      if description.flags & UInt32(V4L2_FMT_FLAG_EMULATED) == 0 {
        let title = withUnsafeBytes(of: description.description) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        found.append(Layout(code: description.pixelformat, title: title))
      }
      description.index += 1
    }
    return found
  }

  func sizes(of code: UInt32) -> Sizes {
    var found: [(width: Int, height: Int)] = []
    var size = v4l2_frmsizeenum()
    size.pixel_format = code
    while size.index < Self.limit, handle.request(cds_VIDIOC_ENUM_FRAMESIZES, &size) == 0 {
      guard size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
        let steps = size.stepwise
        return .range(
          width: StrideRange(
            least: Int(steps.min_width), most: Int(steps.max_width), step: Int(steps.step_width)),
          height: StrideRange(
            least: Int(steps.min_height), most: Int(steps.max_height), step: Int(steps.step_height)))
      }
      found.append((Int(size.discrete.width), Int(size.discrete.height)))
      size.index += 1
    }
    return .discrete(found)
  }

  /// The rates that the driver lists for a layout and size, in frames per second, the highest first; of a range its ends.
  func rates(of code: UInt32, width: Int, height: Int) -> [Double] {
    var found: [Double] = []
    var interval = v4l2_frmivalenum()
    interval.pixel_format = code
    interval.width = UInt32(clamping: width)
    interval.height = UInt32(clamping: height)
    while interval.index < Self.limit, handle.request(cds_VIDIOC_ENUM_FRAMEINTERVALS, &interval) == 0 {
      guard interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
        found += [interval.stepwise.min, interval.stepwise.max].compactMap(Self.rate)
        break
      }
      if let rate = Self.rate(interval.discrete) { found.append(rate) }
      interval.index += 1
    }
    return found.sorted(by: >)
  }

  private static func rate(_ interval: v4l2_fract) -> Double? {
    interval.numerator > 0 ? Double(interval.denominator) / Double(interval.numerator) : nil
  }

  /// The modes worth considering for a wish: of every known layout every listed size.
  func modes(near wanted: VideoCaptureFormat, layouts wantedLayouts: [CameraPixelFormat]) -> [CameraMode] {
    let native = layouts.compactMap { CameraPixelFormat(code: $0.code) }
    return wantedLayouts.filter { native.contains($0) }.flatMap { layout -> [CameraMode] in
      let sizes: [(width: Int, height: Int)]
      switch self.sizes(of: layout.code) {
      case .discrete(let list): sizes = list.isEmpty ? [(wanted.width, wanted.height)] : list
      case .range(let width, let height): sizes = [(width.nearest(wanted.width), height.nearest(wanted.height))]
      }
      return sizes.map { size in
        CameraMode(
          format: layout, width: size.width, height: size.height,
          highestRate: rates(of: layout.code, width: size.width, height: size.height).first)
      }
    }
  }
}
