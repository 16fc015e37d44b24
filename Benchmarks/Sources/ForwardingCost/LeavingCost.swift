import BenchmarkSupport
import ChannelCore
import ControlWire
import ForwardingCore
import LinuxIO
import MediaBase
import OpenSSLCrypto

/// CPU time of what is done at once when the host of a large show leaves: nothing else of the worker's is forwarded meanwhile.
enum LeavingCost {
  static let viewerCount = 2_000

  static func add(to report: inout BenchmarkReport, rounds: Int = 5) {
    var media: [Double] = []
    var channels: [Double] = []
    var joins: [Double] = []
    for _ in 0..<rounds {
      guard let bench = CoreBench(subscribers: viewerCount, crypto: OpenSSLCrypto.provider) else {
        return report.fail("the core's peers do not connect")
      }
      _ = bench.forwardPicture(isKey: true)
      media.append(Double(bench.removePublisher()) / 1e6)
      let (join, leave) = channel()
      joins.append(Double(join) / 1e3)
      channels.append(Double(leave) / 1e6)
    }
    let name = "a host with \(viewerCount) viewers leaves"
    report.add("\(name): its media", media.percentile(0.5) ?? 0, "ms")
    report.add("\(name): its viewers' messages and routes", channels.percentile(0.5) ?? 0, "ms")
    report.add("the last of \(viewerCount) viewers joins a channel", joins.percentile(0.5) ?? 0, "µs")
  }

  /// Nanoseconds of the last joins, each, and of the host's leaving.
  private static func channel() -> (join: Int64, leave: Int64) {
    let random = RandomBytes()
    var directory = ChannelDirectory(configuration: ChannelDirectoryConfiguration(candidates: [])) {
      random.bytes($0)
    }
    let lastCount = 100
    var join: Int64 = 0
    for client in 0...UInt64(viewerCount) {
      let request = JoinRequest(
        channel: "show", uid: UInt(client + 1), profile: .liveBroadcasting,
        role: client == 0 ? .broadcaster : .audience,
        publish: client == 0 ? TrackFlags(audio: true, video: true) : .none,
        subscribe: Subscription(everyone: TrackFlags(audio: true, video: true)),
        ice: ICEParameters(usernameFragment: "frag", password: "passwordpasswordpassword"))
      let before = ProcessStatistics.currentThreadCPUTime()
      directory.receive(.join(request), from: client, now: .zero)
      takeAll(&directory)
      if client > viewerCount - lastCount {
        join += (ProcessStatistics.currentThreadCPUTime() - before).nanoseconds
      }
    }
    let before = ProcessStatistics.currentThreadCPUTime()
    directory.clientClosed(0, now: .zero)
    takeAll(&directory)
    return (join / Int64(lastCount), (ProcessStatistics.currentThreadCPUTime() - before).nanoseconds)
  }

  private static func takeAll(_ directory: inout ChannelDirectory) {
    while directory.pollDelivery() != nil {}
    while directory.pollMediaCommand() != nil {}
  }

  /// For keys, passwords and SSRCs.
  private final class RandomBytes: @unchecked Sendable {
    // @unchecked: used by one thread.
    private var random = SeededRandom(seed: 11)

    func bytes(_ count: Int) -> [UInt8] { (0..<max(count, 0)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
  }
}
