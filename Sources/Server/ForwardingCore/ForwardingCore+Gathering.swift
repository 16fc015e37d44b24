import MediaBase

/// Which packets are given out when.
extension ForwardingCore {
  /// Arrivals that are given out without waiting for the end of their picture: a run that is long enough.
  private static var fullRunLength: UInt64 { 16 }

  /// Tells the egresses of streams where packets have come. Video first: a packet of sound is smaller, and can ride as
  /// the end of a run of video. Streams whose picture is not complete may stay for later.
  mutating func linkDirtyStreams(now: MediaInstant) {
    gatherDeadline = nil
    linkDirtyStreams(of: .video, now: now)
    linkDirtyStreams(of: .audio, now: now)
    var kept = 0
    for position in 0..<dirtyStreams.count where streams[dirtyStreams[position]].isDirty {
      dirtyStreams[kept] = dirtyStreams[position]
      kept += 1
    }
    dirtyStreams.removeLast(dirtyStreams.count - kept)
  }

  private mutating func linkDirtyStreams(of kind: TrackKind, now: MediaInstant) {
    for position in 0..<dirtyStreams.count {
      let stream = dirtyStreams[position]
      guard streams[stream].kind == kind else { continue }
      if let deadline = gatherDeadline(of: stream), now < deadline {
        gatherDeadline = MediaInstant.earliest(gatherDeadline, deadline)
        continue
      }
      streams[stream].isDirty = false
      guard streams[stream].isHeard else { continue }
      streams[stream].linkedArrivalCount = streams[stream].arrivalCount
      for place in 0..<streams[stream].fanOut.count { link(streams[stream].fanOut[place]) }
    }
  }

  /// Until when a stream's packets wait for more; nil if there is nothing to wait for.
  private func gatherDeadline(of stream: Int32) -> MediaInstant? {
    guard streams[stream].kind == .video, streams[stream].fanOut.count >= configuration.gatheringSubscriberCount,
      streams[stream].arrivalCount &- streams[stream].linkedArrivalCount < Self.fullRunLength,
      streams[stream].isInsidePicture
    else { return nil }
    return streams[stream].dirtySince + configuration.gatherInterval
  }
}
