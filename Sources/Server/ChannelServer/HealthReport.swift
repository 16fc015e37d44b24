import ChannelCore
import ControlWire

/// What `GET /healthz` answers.
struct HealthReport: Encodable {
  var status = "ok"
  /// Version of the control protocol.
  var protocolVersion = ControlProtocol.version
  var uptimeSeconds: Int
  var workers: Int
  /// Open control connections of both kinds.
  var connections: Int
  /// Users logged in for signalling.
  var signalUsers: Int
  var channels: Int
  /// Users in channels.
  var users: Int
  var receivedPackets: UInt64
  var sentPackets: UInt64
  /// Incoming datagrams that were of no use.
  var droppedPackets: UInt64
  /// Outgoing datagrams that the system did not take.
  var unsentPackets: Int

  init(uptimeSeconds: Int, connections: Int, signalUsers: Int, workers: [ShardStatistics?]) {
    let known = workers.compactMap { $0 }
    self.uptimeSeconds = uptimeSeconds
    self.workers = workers.count
    self.connections = connections
    self.signalUsers = signalUsers
    channels = known.reduce(0) { $0 + $1.channelCount }
    users = known.reduce(0) { $0 + $1.userCount }
    receivedPackets = known.reduce(0) { $0 &+ $1.receivedPackets }
    sentPackets = known.reduce(0) { $0 &+ $1.sentPackets }
    droppedPackets = known.reduce(0) { $0 &+ $1.droppedPackets }
    unsentPackets = known.reduce(0) { $0 + $1.unsentDatagrams }
  }
}
