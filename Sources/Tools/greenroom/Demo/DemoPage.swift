/// The report as one page of HTML without scripts.
struct DemoPage {
  let record: DemoRecord
  let report: DemoReport

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Greenroom demo</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header>
    <h1>Greenroom: a show and private calls</h1>
    <p class="\(report.hasSucceeded ? "good" : "bad")">\(headline)</p>
    <p>Host: \(Self.escape(record.media.host.video)) and \(Self.escape(record.media.host.audio)).
    Caller: \(Self.escape(record.media.caller.video)) and \(Self.escape(record.media.caller.audio)).
    Five processes, UDP on loopback.</p>
    </header>
    \(section("Timeline", timeline))
    \(section("What everybody saw", pictures))
    \(section("Frame rate", charts(.frameRate)))
    \(section("Latency from picture to picture", charts(.latency)))
    \(section("Rules", rules))
    \(section("Figures", figures))
    \(section("Events", events))
    </body>
    </html>
    """
  }

  private var headline: String {
    let kept = report.rules.count(where: \.isKept)
    let counted = "\(kept) of \(report.rules.count) rules kept in \(Terminal.fixed(report.seconds, decimals: 1)) s"
    return report.problem.map { Self.escape($0) + " \(counted)" } ?? counted
  }

  private func section(_ title: String, _ body: String) -> String {
    "<section><h2>\(title)</h2>\n\(body)\n</section>"
  }

  private var rules: String {
    let rows = report.rules.map {
      "<tr><td class=\"\($0.isKept ? "good" : "bad")\">\($0.isKept ? "✔" : "✘")</td><td>\(Self.escape($0.rule))</td>"
        + "<td class=\"quiet\">\(Self.escape($0.detail))</td></tr>"
    }
    return "<table>\(rows.joined(separator: "\n"))</table>"
  }

  private var figures: String {
    let waits = report.measurements.waits.map {
      "<tr><td>\($0.what)</td><td class=\"number\">\(Self.fixed($0.milliseconds)) ms</td></tr>"
    }
    let streams = report.measurements.streams.map {
      "<tr><td>\($0.phase)</td><td>\($0.receiver)</td><td>\($0.sender)</td>"
        + "<td class=\"number\">\(Self.fixed($0.framesPerSecond))</td>"
        + "<td class=\"number\">\($0.latencyP50.map(Self.fixed) ?? "–")</td>"
        + "<td class=\"number\">\($0.latencyP95.map(Self.fixed) ?? "–")</td>"
        + "<td class=\"number\">\(Self.fixed($0.longestGap))</td></tr>"
    }
    return """
      <div class="columns"><table>\(waits.joined(separator: "\n"))</table>
      <table><tr><th>phase</th><th>receiver</th><th>of</th><th>frames/s</th><th>latency p50 ms</th><th>p95 ms</th>
      <th>longest gap ms</th></tr>\(streams.joined(separator: "\n"))</table></div>
      """
  }

  private var events: String {
    let rows = record.reports.compactMap { entry in
      DemoNarrator.text(entry.report).map {
        "<tr><td class=\"number\">\(Self.fixed(Double(entry.report.time - record.begin) / 1e9, decimals: 3)) s</td>"
          + "<td>\(dot(entry.role))\(entry.role.name)</td><td>\(Self.escape($0))</td></tr>"
      }
    }
    return "<details><summary>\(rows.count) events</summary><table>\(rows.joined(separator: "\n"))</table></details>"
  }

  func dot(_ role: DemoRole) -> String { "<i style=\"background:\(Self.color(role))\"></i>" }

  /// The place of a time from 0 (begin) to 1 (end).
  func position(_ time: Int64) -> Double {
    Double(time - record.begin) / Double(max(1, record.end - record.begin))
  }

  static func color(_ role: DemoRole) -> String {
    switch role {
    case .host: "#0b7a5b"
    case .viewer1: "#3867b5"
    case .viewer2: "#7a55b0"
    case .caller: "#c2571a"
    }
  }

  static func fixed(_ value: Double) -> String { fixed(value, decimals: 1) }
  static func fixed(_ value: Double, decimals: Int) -> String { Terminal.fixed(value, decimals: decimals) }

  static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private static let style = """
    body{font:15px/1.45 system-ui,sans-serif;color:#1d2422;background:#f6f7f5;margin:0 auto;max-width:1180px;padding:24px}
    h1{font-size:26px;margin:0 0 4px}h2{font-size:17px;margin:0 0 12px}header p{margin:2px 0}
    section{background:#fff;border:1px solid #e0e4e1;border-radius:8px;padding:16px 18px;margin:16px 0;overflow-x:auto}
    table{border-collapse:collapse;font-size:13px}td,th{padding:3px 12px 3px 0;text-align:left;vertical-align:top}
    th{color:#66706c;font-weight:500}.number{text-align:right;font-variant-numeric:tabular-nums}
    .good{color:#0b7a5b;font-weight:600}.bad{color:#b3261e;font-weight:600}.quiet{color:#66706c}
    .columns{display:flex;gap:40px;flex-wrap:wrap;align-items:flex-start}
    i{display:inline-block;width:9px;height:9px;border-radius:50%;margin-right:6px}
    svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:#55605b}
    .saw{display:grid;grid-template-columns:150px repeat(4,1fr);gap:8px;align-items:start;min-width:900px}
    .saw figure{margin:0 0 6px}.saw img{width:100%;border-radius:4px;display:block}
    .saw figcaption{font-size:12px;color:#66706c}.saw .none{font-size:12px;color:#99a29e;padding:8px 0}
    .saw b{font-weight:600}summary{cursor:pointer}
    """
}
