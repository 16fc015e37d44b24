public import ControlWire

extension CallLedger {
  /// A user reports on a call. Returns why that is refused.
  public mutating func receive(_ report: ReportRequest, from uid: UInt, now: Time) -> ErrorResponse? {
    guard var call = calls[report.callID], call.record.parties.contains(uid) else {
      return ErrorResponse(
        code: .invalidArgument,
        message: "User \(uid) has no call \(report.callID) to report on; report during it or within a minute after it.")
    }
    let (key, limit) = (String(uid), ReportRequest.maximumEntryCount)
    let before = call.record.reportByteCount(of: key)
    let costs = (call.record.costs[key] ?? [:]).merging(report.costs) { $1 }
    let quality = (call.record.quality[key] ?? [:]).merging(report.quality) { $1 }
    guard costs.count <= limit, quality.count <= limit,
      ReportRequest.namesByteCount(costs, quality) <= ReportRequest.maximumNamesByteCount
    else {
      return ErrorResponse(
        code: .resourceLimited,
        message: "A user can report at most \(limit) costs and qualities of a call, with names of "
          + "\(ReportRequest.maximumNamesByteCount) bytes together.")
    }
    if !costs.isEmpty { call.record.costs[key] = costs }
    if !quality.isEmpty { call.record.quality[key] = quality }
    let growth = call.record.reportByteCount(of: key) - before
    guard reportByteCount + growth <= configuration.maximumReportByteCount else {
      return ErrorResponse(
        code: .resourceLimited, message: "Too much is being reported on all calls together; try again later.")
    }
    call.reportByteCount += growth
    reportByteCount += growth
    calls[report.callID] = call
    if report.kind == ReportRequest.connected { connect(report.callID, now: now) }
    if let record = calls[report.callID]?.record { emit(.changed(record, .reported)) }
    return nil
  }
}
