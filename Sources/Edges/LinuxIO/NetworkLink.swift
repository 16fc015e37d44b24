/// By what a machine is connected to others.
public enum NetworkLink: Sendable {
  /// Not at all, except to itself.
  case none
  /// A cable, or whatever looks like one: bridges, tunnels, virtual interfaces.
  case wired
  /// Wi-Fi.
  case wireless
  /// A modem of a mobile network.
  case modem

  /// What the machine's way to the world leads over: the interface of the best default route, or without one the first that
  /// is up.
  ///
  /// - Parameter root: where `/proc` and `/sys` are; another directory than the system's for tests.
  public static func current(root: String = "") -> NetworkLink {
    let interface =
      defaultInterface(ProcFile.read(root + "/proc/net/route", atMost: tableLimit) ?? "")
      ?? defaultInterface6(ProcFile.read(root + "/proc/net/ipv6_route", atMost: tableLimit) ?? "")
      ?? ProcFile.names(root + "/sys/class/net").sorted().first { isUp($0, root) }
    guard let interface else { return .none }
    let directory = "\(root)/sys/class/net/\(interface)"
    let type = (ProcFile.read(directory + "/uevent") ?? "").split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
    switch type?.dropFirst("DEVTYPE=".count) {
    case "wlan": return .wireless
    case "wwan": return .modem
    default: return ProcFile.names(directory).contains("phy80211") ? .wireless : .wired
    }
  }

  /// Machines with longer tables are routers.
  private static let tableLimit = 65_536

  /// Flags of a route: it can be used, it refuses.
  private static let (up, rejects) = (1, 0x200)

  /// The interface of the default route with the lowest metric in a table like `/proc/net/route`.
  private static func defaultInterface(_ table: String) -> String? {
    let routes = table.split(separator: "\n").dropFirst().compactMap { line -> (metric: Int, interface: String)? in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000", let flags = Int(fields[3], radix: 16),
        flags & up != 0, flags & rejects == 0, let metric = Int(fields[6])
      else { return nil }
      return (metric, String(fields[0]))
    }
    return routes.min { $0.metric < $1.metric }?.interface
  }

  /// The same in a table like `/proc/net/ipv6_route`.
  private static func defaultInterface6(_ table: String) -> String? {
    let routes = table.split(separator: "\n").compactMap { line -> (metric: Int, interface: String)? in
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 10, fields[1] == "00", fields[0].allSatisfy({ $0 == "0" }), fields[9] != "lo",
        let flags = Int(fields[8], radix: 16), flags & up != 0, flags & rejects == 0,
        let metric = Int(fields[5], radix: 16)
      else { return nil }
      return (metric, String(fields[9]))
    }
    return routes.min { $0.metric < $1.metric }?.interface
  }

  private static func isUp(_ interface: String, _ root: String) -> Bool {
    interface != "lo" && ProcFile.read("\(root)/sys/class/net/\(interface)/operstate")?.hasPrefix("up") == true
  }
}
