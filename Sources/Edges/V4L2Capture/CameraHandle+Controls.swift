import CDeviceShims
import CV4L2
import MediaBase

extension CameraHandle {
  /// No driver has more.
  private static let mostControls = 256

  /// Sets what options ask for; cameras without such a control are as they are.
  func apply(_ options: CameraOptions) {
    if options.keepsRate { _ = setControl(CameraControl.Standard.dynamicFrameRate.rawValue, 0) }
    if let frequency = options.powerLineFrequency {
      _ = setControl(CameraControl.Standard.powerLineFrequency.rawValue, frequency.rawValue)
    }
  }

  /// 0 or an `errno`.
  func setControl(_ id: UInt32, _ value: Int) -> Int32 {
    var control = v4l2_control(id: id, value: Int32(clamping: value))
    return request(cds_VIDIOC_S_CTRL, &control)
  }

  /// All controls of the kinds that a person can set, in the driver's order.
  var controls: [CameraControl] {
    var found: [CameraControl] = []
    var query = v4l2_queryctrl()
    query.id = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    for _ in 0..<Self.mostControls {
      guard request(cds_VIDIOC_QUERYCTRL, &query) == 0 else { break }
      if let control = control(query) { found.append(control) }
      query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
    }
    return found
  }

  private func control(_ query: v4l2_queryctrl) -> CameraControl? {
    let kind: CameraControl.Kind
    switch query.type {
    case V4L2_CTRL_TYPE_INTEGER.rawValue: kind = .integer
    case V4L2_CTRL_TYPE_BOOLEAN.rawValue: kind = .boolean
    case V4L2_CTRL_TYPE_MENU.rawValue, V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: kind = .menu
    case V4L2_CTRL_TYPE_BUTTON.rawValue: kind = .button
    default: return nil
    }
    guard query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else { return nil }
    var current = v4l2_control(id: query.id, value: 0)
    if kind != .button, request(cds_VIDIOC_G_CTRL, &current) != 0 { current.value = query.default_value }
    let locks = UInt32(V4L2_CTRL_FLAG_READ_ONLY) | UInt32(V4L2_CTRL_FLAG_INACTIVE) | UInt32(V4L2_CTRL_FLAG_GRABBED)
    return CameraControl(
      id: query.id, name: withUnsafeBytes(of: query.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
      kind: kind, minimum: Int(query.minimum), maximum: Int(query.maximum), step: Int(query.step),
      defaultValue: Int(query.default_value), value: Int(current.value),
      choices: kind == .menu ? choices(query) : [:], isLocked: query.flags & locks != 0)
  }

  private func choices(_ query: v4l2_queryctrl) -> [Int: String] {
    var found: [Int: String] = [:]
    guard query.minimum <= query.maximum, Int(query.maximum) - Int(query.minimum) < Self.mostControls else {
      return [:]
    }
    for index in query.minimum...query.maximum {
      var item = v4l2_querymenu()
      item.id = query.id
      item.index = UInt32(bitPattern: index)
      // Menus may have gaps.
      guard request(cds_VIDIOC_QUERYMENU, &item) == 0 else { continue }
      // The name and, of menus of numbers, the value share a union at this place of a packed structure.
      let bytes = withUnsafeBytes(of: item) { Array($0[8..<40]) }
      if query.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue {
        let value = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        found[Int(index)] = "\(Int64(bitPattern: value))"
      } else {
        found[Int(index)] = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    return found
  }
}
