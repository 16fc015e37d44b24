import ControlWire
import MediaBase
import RTPSession

extension ConnectionCore {
  /// The totals so far.
  public func currentStatistics(now: MediaInstant) -> ConnectionStatistics {
    var totals = statistics
    if let joinTime { totals.duration = now - joinTime }
    totals.userCount = users.count
    totals.remoteStreams = users.values.sorted { $0.uid < $1.uid }.map { user in
      var stream = user.statistics
      stream.freezeCount = user.video.freezeCount
      stream.frozenTime = user.video.frozenTime
      return stream
    }
    totals.videoBitrate = videoBitrate
    switch path {
    case .some(let path): path.add(to: &totals, users: users)
    case .none: break
    }
    return totals
  }
}

extension MediaPath {
  /// Adds what the session knows.
  func add(to totals: inout ConnectionStatistics, users: [UInt: RemoteUser]) {
    totals.roundTripTime = session.roundTripTime
    totals.sendBitrate = session.sendBitrate
    totals.sendLossRate = session.sendLossRate
    totals.sendQueueDelay = session.sendQueueDelay
    for index in totals.remoteStreams.indices {
      guard let ssrcs = users[totals.remoteStreams[index].uid]?.ssrcs else { continue }
      totals.remoteStreams[index].videoPacketsLost = session.receiveStatistics(ssrc: ssrcs.video)?.packetsLost ?? 0
      totals.remoteStreams[index].audioPacketsLost = session.receiveStatistics(ssrc: ssrcs.audio)?.packetsLost ?? 0
    }
  }
}
