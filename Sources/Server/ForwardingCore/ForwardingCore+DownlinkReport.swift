import CongestionControl
import MediaBase
import RTPWire

/// What a subscriber is told of the path to it.
extension ForwardingCore {
  /// Videos that a report has room for besides others; more than there are broadcasters.
  private static var mostReportedVideos: Int { 32 }

  @_lifetime(output: copy output)
  func writeDownlinkReport(to peer: Int32, into output: inout OutputRawSpan) {
    guard peers[peer].format.wantsDownlinkReport,
      let room = DownlinkReport.videoCapacity(freeCapacity: output.freeCapacity)
    else { return }
    var count = 0
    for egress in peers[peer].egresses where isReported(egress) { count += 1 }
    let bitrate = peers[peer].downlink?.pointee.targetBitrate
    guard count > 0 || bitrate != nil else { return }
    count = min(count, room, Self.mostReportedVideos)
    DownlinkReport.writeHead(
      senderSSRC: rtcpSSRC, bitrate: bitrate, queueDelay: peers[peer].downlink?.pointee.estimator.queueDelay,
      videoCount: count, into: &output)
    for egress in peers[peer].egresses where count > 0 && isReported(egress) {
      count -= 1
      let layers = peers[streams[egresses[egress].stream].publisher].layers
      let layer = layers.firstIndex { $0.stream == egresses[egress].stream } ?? 0
      DownlinkReport.write(
        DownlinkReport.Video(
          ssrc: egresses[egress].ssrc, layer: UInt8(clamping: layer), layerCount: UInt8(clamping: max(layers.count, 1)),
          isPaused: egresses[egress].isPaused), into: &output)
    }
  }

  private func isReported(_ egress: Int32) -> Bool {
    egresses[egress].kind == .video && (egresses[egress].phase == .forwarding || egresses[egress].isPaused)
  }
}
