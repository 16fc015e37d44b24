/// What `report.json` holds.
struct DemoReport: Codable, Sendable {
  var hasSucceeded: Bool
  var seconds: Double
  var media: DemoMedia
  var problem: String?
  var rules: [DemoJudge.Verdict]
  var measurements: DemoMeasurements
  var phases: [DemoRecord.Phase]

  init(_ record: DemoRecord, problem: String?) {
    self.problem = problem
    media = record.media
    seconds = Double(record.end - record.begin) / 1e9
    rules = DemoJudge(record: record).verdicts
    measurements = DemoMeasurements(record)
    hasSucceeded = problem == nil && rules.allSatisfy(\.isKept)
    phases = record.phases.map { phase in
      var phase = phase
      phase.begin -= record.begin
      phase.end -= record.begin
      return phase
    }
  }
}
