import CallAPI

/// A lane for each participant: where it publishes, which states its calls go through.
extension DemoPage {
  private static let width = 1_140.0
  private static let left = 70.0
  private static let laneHeight = 46.0

  func x(_ time: Int64) -> Double { Self.left + position(time) * (Self.width - Self.left - 10) }

  var timeline: String {
    let height = 60 + Self.laneHeight * Double(DemoRole.allCases.count)
    let lanes = DemoRole.allCases.enumerated().map { index, role in
      lane(role, y: 52 + Self.laneHeight * Double(index))
    }
    return """
      <svg viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" aria-label="timeline">
      \(bands(height: height, titled: true))
      \(lanes.joined(separator: "\n"))
      </svg>
      <p class="quiet">Bars: <b style="color:\(Self.color(.host))">in the show</b> on stage or watching,
      <b style="color:\(Self.color(.caller))">in the call</b>. Marks: changes of the call's state.</p>
      """
  }

  /// The phases as stripes behind a drawing, and seconds below.
  func bands(height: Double, titled: Bool) -> String {
    let stripes = record.phases.enumerated().map { index, phase in
      "<rect x=\"\(Self.fixed(x(phase.begin)))\" y=\"0\" width=\"\(Self.fixed(x(phase.end) - x(phase.begin)))\" "
        + "height=\"\(Self.fixed(height - 16))\" fill=\"\(index % 2 == 0 ? "#f1f4f2" : "#ffffff")\"/>"
    }
    // After the stripes: a title may be longer than its phase.
    let titles = (titled ? record.phases : []).enumerated().map { index, phase in
      "<text x=\"\(Self.fixed(x(phase.begin) + 3))\" y=\"\(index % 2 == 0 ? 12 : 27)\">\(phase.title)</text>"
    }
    let seconds = stride(from: 0, through: Int(report.seconds), by: 5).map { second in
      "<text x=\"\(Self.fixed(x(record.begin + Int64(second) * 1_000_000_000)))\" "
        + "y=\"\(Self.fixed(height - 3))\">\(second) s</text>"
    }
    return (stripes + titles + seconds).joined(separator: "\n")
  }

  private func lane(_ role: DemoRole, y: Double) -> String {
    let leaving = record.phases.first { $0.slug == "leaving" }?.begin ?? record.end
    var parts = ["<text x=\"0\" y=\"\(Self.fixed(y + 12))\">\(role.name)</text>"]
    if let joined = record.joined[role] {
      let gaps = role == .host ? record.calls.map { ($0.unpublished, max($0.unpublished, $0.published)) } : []
      var from = joined
      for gap in gaps {
        parts.append(bar(from, gap.0, y: y, .host, opacity: 0.9))
        from = gap.1
      }
      parts.append(bar(from, leaving, y: y, .host, opacity: role == .host ? 0.9 : 0.35))
    }
    if [.host, .caller].contains(role) {
      parts += record.calls.map { bar($0.accepted, max($0.accepted, $0.hungUp), y: y + 14, .caller, opacity: 0.9) }
    }
    parts += record.reports.filter { $0.role == role && $0.report.kind == .state }.map { entry in
      let place = Self.fixed(x(entry.report.time))
      let title =
        "\(entry.report.text ?? "") (\(entry.report.reason.flatMap { CallStateReason(rawValue: $0) }.map { "\($0)" } ?? ""))"
      return
        "<circle cx=\"\(place)\" cy=\"\(Self.fixed(y + 33))\" r=\"3\" fill=\"#55605b\"><title>\(title)</title></circle>"
    }
    return parts.joined(separator: "\n")
  }

  private func bar(_ begin: Int64, _ end: Int64, y: Double, _ color: DemoRole, opacity: Double) -> String {
    "<rect x=\"\(Self.fixed(x(begin)))\" y=\"\(Self.fixed(y + 2))\" width=\"\(Self.fixed(max(1, x(end) - x(begin))))\" "
      + "height=\"11\" rx=\"2\" fill=\"\(Self.color(color))\" opacity=\"\(opacity)\"/>"
  }
}
