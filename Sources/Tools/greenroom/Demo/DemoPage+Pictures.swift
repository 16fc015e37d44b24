/// Phases as rows, participants as columns, in each place what that participant saw.
extension DemoPage {
  var pictures: String {
    let head = "<div></div>" + DemoRole.allCases.map { "<b>\(dot($0))\($0.name)</b>" }.joined()
    let rows = record.phases.filter { !["entering", "leaving"].contains($0.slug) }.map { phase in
      "<div><b>\(phase.title)</b><div class=\"quiet\">\(phase.text)</div></div>"
        + DemoRole.allCases.map { cell(phase, $0) }.joined(separator: "\n")
    }
    return "<div class=\"saw\">\(head)\n\(rows.joined(separator: "\n"))</div>"
  }

  private func cell(_ phase: DemoRecord.Phase, _ role: DemoRole) -> String {
    let own = phase.pictures.filter { $0.role == role }
    if own.isEmpty { return "<div class=\"none\">no picture</div>" }
    let figures = own.map { picture in
      let place = picture.channel == DemoRecord.liveChannel ? "in the show" : "in the call"
      let caption = picture.of == role ? "\(role.name)'s own camera" : "the \(picture.of.name) \(place)"
      return "<figure><img src=\"\(picture.path)\" alt=\"\(caption)\"><figcaption>\(caption)</figcaption></figure>"
    }
    return "<div>\(figures.joined())</div>"
  }
}
