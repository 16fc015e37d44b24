import LinuxIO

/// By what this machine is connected. The raw values are those of the SDKs.
public enum NetworkType: Int, Sendable, CaseIterable {
  /// Never reported; for applications that know the number.
  case unknown = -1
  /// By nothing.
  case disconnected = 0
  /// A cable, or an interface that looks like one.
  case lan = 1
  /// Wi-Fi.
  case wifi = 2
  /// Never reported; for applications that know the number.
  case mobile2G = 3
  /// Never reported; for applications that know the number.
  case mobile3G = 4
  /// A mobile network; of which generation the system does not say.
  case mobile4G = 5
  /// Never reported; for applications that know the number.
  case mobile5G = 6

  init(_ link: NetworkLink) {
    switch link {
    case .none: self = .disconnected
    case .wired: self = .lan
    case .wireless: self = .wifi
    case .modem: self = .mobile4G
    }
  }
}
