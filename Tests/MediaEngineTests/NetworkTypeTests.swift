import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// A directory with what `/proc` and `/sys` say about a machine's networks.
private struct NetworkDirectory {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("networks-\(UUID().uuidString)").path

  private func write(_ text: String, _ file: String) throws {
    let url = URL(fileURLWithPath: path + file)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func setInterface(_ name: String, type: String?) throws {
    try write(
      type.map { "DEVTYPE=\($0)\nINTERFACE=\(name)\n" } ?? "INTERFACE=\(name)\n", "/sys/class/net/\(name)/uevent")
    try write("down\n", "/sys/class/net/\(name)/operstate")
  }

  func setDefaultRoute(_ interface: String?) throws {
    let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    let route = interface.map { "\($0)\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n" } ?? ""
    try write(head + route, "/proc/net/route")
  }
}

/// Writes down what it is told of networks.
private final class NetworkLog: RTCEngineDelegate {
  private let entries = Mutex<[Int]>([])
  var types: [Int] { entries.withLock { $0 } }

  func rtcEngine(_ engine: RTCEngine, networkTypeChanged type: NetworkType) {
    entries.withLock { $0.append(type.rawValue) }
  }
}

@Suite(.ownThread) struct NetworkTypeTests {
  @Test func `the kind of network is told at the first join and at each change`() async throws {
    let directory = NetworkDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory.path) }
    try directory.setInterface("eth0", type: nil)
    try directory.setInterface("wlan0", type: "wlan")
    try directory.setInterface("wwan0", type: "wwan")
    try directory.setDefaultRoute("eth0")
    let stage = try Stage()
    var configuration = RTCEngineConfiguration(server: stage.url)
    configuration.systemDirectory = directory.path
    let (log, networks) = (Recorder(), NetworkLog())
    let engine = RTCEngine(configuration: configuration, delegate: log)
    engine.addDelegate(networks)
    engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions())
    #expect(await log.heard("joined a/1"))
    let network = try #require(engine.runtime.parts.get()?.network)
    for (interface, type) in [("wlan0", 2), (nil, 0), ("wwan0", 5), ("eth0", 1)] as [(String?, Int)] {
      try directory.setDefaultRoute(interface)
      network.lookAtNetwork()
      #expect(await eventually { networks.types.last == type })
    }
    // Joining again, and changes that change nothing, are no news.
    network.lookAtNetwork()
    engine.leaveChannel()
    engine.joinChannel(token: nil, channelID: "b", uid: 1, options: ChannelMediaOptions())
    #expect(await log.heard("joined b/1"))
    #expect(networks.types == [1, 2, 0, 5, 1])
    engine.destroy()
  }
}
