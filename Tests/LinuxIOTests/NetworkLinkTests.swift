import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite struct NetworkLinkTests {
  /// A machine's files, by path.
  private func link(_ files: [String: String]) throws -> NetworkLink {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("link-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return NetworkLink.current(root: root.path)
  }

  private static let head = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT\n"

  @Test func `the best default route decides`() throws {
    let routes =
      Self.head
      + "eth0 0000A8C0 00000000 0001 0 0 0 00FFFFFF 0 0 0\neth0 00000000 0100A8C0 0003 0 0 600 00000000 0 0 0\n"
      + "wlan0 00000000 0100A8C0 0003 0 0 100 00000000 0 0 0\nppp0 00000000 0100A8C0 0002 0 0 1 00000000 0 0 0\n"
    let interfaces = [
      "sys/class/net/wlan0/uevent": "DEVTYPE=wlan\nINTERFACE=wlan0\n", "sys/class/net/eth0/uevent": "INTERFACE=eth0\n",
    ]
    #expect(try link(interfaces.merging(["proc/net/route": routes]) { $1 }) == .wireless)
    #expect(try link(interfaces.merging(["proc/net/route": routes.replacing("100 ", with: "700 ")]) { $1 }) == .wired)
  }

  @Test func `a machine with IPv6 alone is told by its routes`() throws {
    let zeros = String(repeating: "0", count: 32)
    let routes = """
      \(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo
      fe80\(zeros.dropFirst(4)) 40 \(zeros) 00 \(zeros) 00000100 00000001 00000000 00000001     eth0
      \(zeros) 00 \(zeros) 00 fe80\(zeros.dropFirst(4)) 00000400 00000001 00000000 00450003     wwan0

      """
    #expect(
      try link(["proc/net/ipv6_route": routes, "sys/class/net/wwan0/uevent": "DEVTYPE=wwan\n"]) == .modem)
  }

  @Test func `without a default route an interface that is up counts, and loopback does not`() throws {
    #expect(try link(["sys/class/net/lo/operstate": "unknown\n", "sys/class/net/eth0/operstate": "down\n"]) == .none)
    #expect(
      try link(["sys/class/net/wlp3s0/operstate": "up\n", "sys/class/net/wlp3s0/phy80211/name": "phy0\n"]) == .wireless)
    #expect(try link([:]) == .none)
  }

  @Test(arguments: ["", "\n", "x\n", "h\neth0 00000000\n", "h\n" + String(repeating: "\t0", count: 40_000)])
  func `tables that make no sense are no network`(table: String) throws {
    #expect(try link(["proc/net/route": table, "proc/net/ipv6_route": table]) == .none)
  }

  @Test func `this machine says something, and changes of it can be watched`() throws {
    _ = NetworkLink.current()
    let socket = try #require(NetworkChangeSocket())
    #expect(socket.fileDescriptor >= 0)
    while socket.drain() {}
    #expect(!socket.drain())
  }
}
