public import ControlWire

extension CallLedger {
  /// What an entry of a report counts beside its name.
  private static let entryByteCount = 32

  /// A user reports on a call. Returns why that is refused.
  public mutating func receive(_ report: ReportRequest, from uid: UInt, now: Time) -> ErrorResponse? {
    guard var call = calls[report.callID], call.record.parties.contains(uid) else {
      return ErrorResponse(
        code: .invalidArgument,
        message: "User \(uid) has no call \(report.callID) to report on; report during it or within a minute after it.")
    }
    let (key, limit) = (String(uid), ReportRequest.maximumEntryCount)
    let before = Self.byteCount(call.record, key)
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
    let growth = Self.byteCount(call.record, key) - before
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

  /// What the reports of one side count.
  private static func byteCount(_ record: CallRecord, _ key: String) -> Int {
    let (costs, quality) = (record.costs[key] ?? [:], record.quality[key] ?? [:])
    return ReportRequest.namesByteCount(costs, quality) + (costs.count + quality.count) * entryByteCount
  }
}
