import CMediaEngine
import MediaEngine

extension media_engine_statistics {
  /// A report of the last two seconds.
  init(_ report: RTCConnectionReport) {
    self = .make()
    duration_s = UInt32(clamping: report.duration)
    sent_bytes = UInt64(clamping: report.txBytes)
    received_bytes = UInt64(clamping: report.rxBytes)
    sent_kbps = UInt32(clamping: report.txKBitRate)
    received_kbps = UInt32(clamping: report.rxKBitRate)
    round_trip_ms = UInt32(clamping: report.lastmileDelay)
    sent_loss_percent = UInt32(clamping: report.txPacketLossRate)
    received_loss_percent = UInt32(clamping: report.rxPacketLossRate)
    user_count = UInt32(clamping: report.userCount)
    uplink_kbps = UInt32(clamping: report.uplinkKBitRate)
    video_target_kbps = UInt32(clamping: report.videoTargetKBitRate)
    downlink_kbps = UInt32(clamping: report.downlinkKBitRate)
    downlink_queue_ms = UInt32(clamping: report.downlinkQueueDelay)
  }

  /// Totals; rates over the whole time.
  init(_ totals: RTCStatistics) {
    self = .make()
    let seconds = max(totals.duration, 0.001)
    func kilobits(_ bytes: Int) -> UInt32 { UInt32(min(Double(bytes) * 8 / 1_000 / seconds, 4_000_000)) }
    duration_s = UInt32(max(0, min(totals.duration, 4_000_000_000)))
    sent_bytes = UInt64(clamping: totals.sentBytes)
    received_bytes = UInt64(clamping: totals.receivedBytes)
    sent_kbps = kilobits(totals.sentBytes)
    received_kbps = kilobits(totals.receivedBytes)
    round_trip_ms = UInt32(max(0, min(totals.roundTripMilliseconds ?? 0, 4_000_000_000)))
    sent_loss_percent = UInt32(clamping: totals.sentPacketLossPercent)
    user_count = UInt32(clamping: totals.userCount + 1)
    uplink_kbps = UInt32(clamping: totals.uplinkKilobitsPerSecond ?? 0)
    downlink_kbps = UInt32(clamping: totals.downlinkKilobitsPerSecond ?? 0)
    downlink_queue_ms = UInt32(max(0, min(totals.downlinkQueueMilliseconds ?? 0, 4_000_000_000)))
  }
}
