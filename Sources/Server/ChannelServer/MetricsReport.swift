import ChannelCore

/// What `GET /metrics` answers, in Prometheus' text format.
struct MetricsReport {
  var uptimeSeconds: Int
  /// Open control connections of both kinds, and sessions by WebRTC.
  var connections: Int
  /// Users logged in for signalling.
  var signalUsers: Int
  /// Calls that no record was made of.
  var unrecordedCalls: UInt64
  /// Changes of calls' records that could not be kept.
  var lostRecordChanges: UInt64
  var workers: [ShardStatistics?]

  /// The text.
  var text: String {
    let known = workers.compactMap { $0 }
    func sum(_ value: (ShardStatistics) -> UInt64) -> UInt64 { known.reduce(0) { $0 &+ value($1) } }
    var lines: [String] = []
    func add(_ name: String, _ type: String, _ help: String, _ value: UInt64) {
      lines += ["# HELP greenroom_\(name) \(help)", "# TYPE greenroom_\(name) \(type)", "greenroom_\(name) \(value)"]
    }
    func count(_ value: Int) -> UInt64 { UInt64(clamping: value) }
    add("uptime_seconds", "gauge", "Seconds since the server was started.", count(uptimeSeconds))
    add("workers", "gauge", "Threads that forward media.", count(workers.count))
    add("connections", "gauge", "Control connections and sessions by WHIP and WHEP.", count(connections))
    add("signal_users", "gauge", "Users logged in for signalling.", count(signalUsers))
    add(
      "unrecorded_calls_total", "counter",
      "Calls that no record was made of: too many of the same caller or callee, or of all, were open.",
      unrecordedCalls)
    add(
      "lost_record_changes_total", "counter",
      "Changes of calls' records that are lost: they could not be written, and too many were waiting.",
      lostRecordChanges)
    add("channels", "gauge", "Channels with at least one user.", sum { count($0.channelCount) })
    add("users", "gauge", "Users in channels.", sum { count($0.userCount) })
    add("received_packets_total", "counter", "Datagrams received.", sum { $0.receivedPackets })
    add("sent_packets_total", "counter", "Media packets sent, with retransmissions.", sum { $0.sentPackets })
    add("dropped_packets_total", "counter", "Datagrams received that were of no use.", sum { $0.droppedPackets })
    add(
      "refused_packets_total", "counter",
      "Datagrams that the system dropped before they were read: a flood, or a full buffer.", sum { $0.refusedDatagrams }
    )
    add(
      "unsent_packets_total", "counter", "Datagrams that the system did not take.",
      sum { count($0.unsentDatagrams) })
    return lines.map { $0 + "\n" }.joined()
  }
}
