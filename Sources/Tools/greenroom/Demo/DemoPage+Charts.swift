/// Frame rate and latency over time, a chart for each receiver.
extension DemoPage {
  enum Quantity {
    case frameRate, latency

    var unit: String { self == .frameRate ? "frames/s" : "ms" }
    var least: Double { self == .frameRate ? 36 : 20 }
  }

  private struct Line {
    var sender: DemoRole
    /// Times and values; `nil` is a break.
    var points: [(time: Int64, value: Double?)]
  }

  private static let chartHeight = 118.0
  /// Values are taken over so long.
  private static let step: Int64 = 500_000_000

  func charts(_ quantity: Quantity) -> String {
    let lines = Dictionary(uniqueKeysWithValues: DemoRole.allCases.map { ($0, self.lines($0, quantity)) })
    let top = lines.values.joined().flatMap(\.points).compactMap(\.value).max() ?? 0
    let scale = max(quantity.least, top * 1.1)
    let legend = [DemoRole.host, .caller].map { "\(dot($0))pictures of the \($0.name) " }.joined()
    return DemoRole.allCases.map { chart($0, lines[$0] ?? [], quantity, scale) }.joined(separator: "\n")
      + "<p class=\"quiet\">\(legend)\(quantity == .latency ? "(median of half a second)" : "")</p>"
  }

  private func chart(_ role: DemoRole, _ lines: [Line], _ quantity: Quantity, _ scale: Double) -> String {
    let (height, base) = (Self.chartHeight, Self.chartHeight - 20)
    func y(_ value: Double) -> Double { base - value / scale * (base - 8) }
    let middle = quantity == .frameRate ? 30 : (scale / 2).rounded()
    let guides = [0, middle].map { value in
      "<line x1=\"70\" x2=\"1130\" y1=\"\(Self.fixed(y(value)))\" y2=\"\(Self.fixed(y(value)))\" stroke=\"#d5dbd7\"/>"
        + "<text x=\"64\" y=\"\(Self.fixed(y(value) + 4))\" text-anchor=\"end\">\(Int(value))</text>"
    }
    let drawn = lines.map { line in
      let paths = line.points.split { $0.value == nil }.map { part in
        part.map { "\(Self.fixed(x($0.time))),\(Self.fixed(y($0.value ?? 0)))" }.joined(separator: " ")
      }
      return paths.map {
        "<polyline fill=\"none\" stroke=\"\(Self.color(line.sender))\" stroke-width=\"1.8\" points=\"\($0)\"/>"
      }.joined()
    }
    return """
      <svg viewBox="0 0 1140 \(Int(height))" role="img" aria-label="\(quantity.unit) at \(role.name)">
      \(bands(height: height, titled: false))\(guides.joined())\(drawn.joined(separator: "\n"))
      <text x="0" y="14">\(role.name)</text><text x="0" y="28">\(quantity.unit)</text>
      </svg>
      """
  }

  private func lines(_ role: DemoRole, _ quantity: Quantity) -> [Line] {
    [DemoRole.host, .caller].compactMap { sender in
      let logs = (record.logs[role] ?? []).filter { $0.uid == sender.uid && !$0.pictures.isEmpty }
      if logs.isEmpty { return nil }
      let points = stride(from: record.begin, to: record.end, by: Int(Self.step)).map { begin -> (Int64, Double?) in
        let values = logs.flatMap { log in
          zip(log.pictures, log.captures).filter { (begin..<begin + Self.step).contains($0.0) }
        }
        return (begin + Self.step / 2, Self.value(values, quantity))
      }
      return Line(sender: sender, points: points)
    }
  }

  private static func value(_ pictures: [(Int64, Int64)], _ quantity: Quantity) -> Double? {
    switch quantity {
    case .frameRate: Double(pictures.count) / (Double(step) / 1e9)
    case .latency: pictures.filter { $0.1 >= 0 && $0.1 <= $0.0 }.map { Double($0.0 - $0.1) / 1e6 }.percentile(0.5)
    }
  }
}
