import Foundation

/// What one subject has measured: printed, and written where BENCH_REPORT says.
public struct BenchmarkReport: Encodable {
  /// One number.
  public struct Figure: Encodable {
    /// What was measured.
    public var name: String
    /// The number.
    public var value: Double
    /// Its unit.
    public var unit: String
    /// What is asked for, if anything; the value must not exceed it.
    public var limit: Double?
    /// Whether the value is within the limit.
    public var isWithinLimit: Bool? { limit.map { value <= $0 } }

    private enum CodingKeys: String, CodingKey { case name, value, unit, limit, isWithinLimit }

    /// Writes the figure with its verdict.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(value, forKey: .value)
      try container.encode(unit, forKey: .unit)
      try container.encodeIfPresent(limit, forKey: .limit)
      try container.encodeIfPresent(isWithinLimit, forKey: .isWithinLimit)
    }
  }

  /// The subject.
  public var subject: String
  /// The numbers, in the order in which they were taken.
  public private(set) var figures: [Figure] = []
  /// What could not be measured.
  public private(set) var failures: [String] = []

  /// An empty report.
  public init(_ subject: String) {
    self.subject = subject
    print("== \(subject)")
  }

  /// Adds a number and prints it.
  public mutating func add(_ name: String, _ value: Double, _ unit: String, limit: Double? = nil) {
    let figure = Figure(name: name, value: value, unit: unit, limit: limit)
    figures.append(figure)
    let verdict = limit.map { " (asked: at most \(String(format: "%.3f", $0)))\(value <= $0 ? "" : "  ABOVE")" } ?? ""
    print("  \(name): \(String(format: "%.3f", value)) \(unit)\(verdict)")
  }

  /// Adds median, 95th percentile and worst of values.
  public mutating func add(
    _ name: String, _ values: [Double], _ unit: String, p50Limit: Double? = nil, p95Limit: Double? = nil
  ) {
    guard let p50 = values.percentile(0.5), let p95 = values.percentile(0.95), let worst = values.max() else {
      return fail("\(name): nothing was measured")
    }
    add("\(name), p50 of \(values.count)", p50, unit, limit: p50Limit)
    add("\(name), p95", p95, unit, limit: p95Limit)
    add("\(name), worst", worst, unit)
  }

  /// Something could not be measured: the program will end with an error.
  public mutating func fail(_ text: String) {
    failures.append(text)
    print("  FAILED: \(text)")
  }

  /// Writes the report as JSON into the directory that BENCH_REPORT names, if it does, and ends the program.
  public func finish() -> Never {
    write()
    exit(failures.isEmpty ? 0 : 1)
  }

  private func write() {
    guard let directory = ProcessInfo.processInfo.environment["BENCH_REPORT"] else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let file = URL(fileURLWithPath: directory).appendingPathComponent("\(subject).json")
    do {
      try encoder.encode(self).write(to: file)
    } catch {
      print("  \(file.path) could not be written: \(error.localizedDescription)")
    }
  }
}

extension [Double] {
  /// The value that a fraction of all values do not exceed; `nil` if there are none.
  public func percentile(_ fraction: Double) -> Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return sorted[Swift.min(sorted.count - 1, Int((Double(sorted.count - 1) * fraction).rounded()))]
  }

  /// The mean; 0 if there are none.
  public var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
