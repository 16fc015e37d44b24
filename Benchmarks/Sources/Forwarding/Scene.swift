import ControlWire
import LinuxIO
import MediaBase
import Synchronization

/// A server with publishers and subscribers that are connected.
final class Scene {
  let server: ServerProcess
  let loop = ClientLoop()
  private(set) var publishers: [MediaClient] = []
  private(set) var subscribers: [MediaClient] = []
  private var joins: [ControlJoin] = []
  private var senders: [Publisher] = []

  init(_ server: ServerProcess) { self.server = server }

  /// Adds a publisher by WHIP.
  func publish(_ channel: String) throws -> MediaClient {
    let client = try MediaClient(publishes: true)
    loop.add(client, try client.negotiate(name: channel, port: server.port))
    publishers.append(client)
    return client
  }

  /// Adds a subscriber by WHEP.
  func subscribe(_ channel: String, samples: Bool = false) throws {
    let client = try MediaClient(publishes: false, isSampling: samples)
    loop.add(client, try client.negotiate(name: channel, port: server.port))
    subscribers.append(client)
  }

  /// Adds a user by the control protocol.
  func join(_ channel: String, publish: TrackFlags, samples: Bool = false) throws {
    let isPublisher = publish.audio || publish.video
    let client = try MediaClient(publishes: isPublisher, isSampling: samples)
    let join = try ControlJoin(client, channel: channel, publish: publish, port: server.port)
    client.ssrcs = join.ssrcs
    loop.add(client, join.path)
    joins.append(join)
    if isPublisher { publishers.append(client) } else { subscribers.append(client) }
  }

  /// Waits until all are connected.
  func connect(seconds: Int64 = 30) throws {
    let limit = MonotonicClock.now() + .seconds(seconds)
    let all = publishers + subscribers
    while let waiting = all.first(where: { !$0.isConnected.load(ordering: .acquiring) }) {
      guard MonotonicClock.now() < limit, !waiting.hasFailed.load(ordering: .relaxed) else {
        let count = all.count { !$0.isConnected.load(ordering: .acquiring) }
        throw HTTPPost.Failure(description: "\(count) of \(all.count) clients did not connect")
      }
      MonotonicClock.sleep(for: .milliseconds(2))
    }
  }

  func start(_ plan: Publisher.Plan) {
    if senders.isEmpty { senders = publishers.map { Publisher($0) } }
    for sender in senders { sender.start(plan) }
  }

  func pause() { for sender in senders { sender.stop() } }

  func stop() {
    pause()
    loop.stop()
    joins.removeAll()
    server.stop()
  }

  /// What happened in a while.
  struct Measurement {
    var packets = 0.0
    /// Datagrams of any kind that the clients sent.
    var sent = 0.0
    var seconds = 0.0
    var cpuSeconds = 0.0
    /// Packets that a sampling subscriber missed, as a share.
    var loss = 0.0
    /// Milliseconds, of sampling subscribers.
    var latencies: [Double] = []

    var microsecondsPerPacket: Double { cpuSeconds / packets * 1e6 }
    var utilization: Double { cpuSeconds / seconds }
  }

  /// Measures for `seconds`.
  func measure(seconds: Double) -> Measurement {
    let sampling = subscribers.filter(\.isSampling)
    for client in sampling { client.latencies.withLock { $0.removeAll(keepingCapacity: true) } }
    let before = read()
    MonotonicClock.sleep(for: .seconds(seconds))
    let after = read()
    let sampled = Double(after.sampled - before.sampled)
    return Measurement(
      packets: Double(after.packets - before.packets), sent: Double(after.sent - before.sent),
      seconds: Double((after.time - before.time).nanoseconds) / 1e9, cpuSeconds: Double(after.cpu - before.cpu) / 1e9,
      loss: sampled > 0 ? Double(after.missing - before.missing) / sampled : 0,
      latencies: sampling.flatMap { client in client.latencies.withLock { $0.map { Double($0) / 1e6 } } })
  }

  private struct Reading {
    var packets: Int
    var sampled: Int
    var missing: Int
    var sent: Int
    var cpu: Int64
    var time: MediaInstant
  }

  private func read() -> Reading {
    let sampling = subscribers.filter(\.isSampling)
    return Reading(
      packets: subscribers.reduce(0) { $0 + $1.totals.packets },
      sampled: sampling.reduce(0) { $0 + $1.totals.packets },
      missing: sampling.reduce(0) { $0 + $1.missing.load(ordering: .relaxed) },
      sent: (publishers + subscribers).reduce(0) { $0 + $1.socket.sentDatagrams }, cpu: server.cpuNanoseconds,
      time: MonotonicClock.now())
  }
}
