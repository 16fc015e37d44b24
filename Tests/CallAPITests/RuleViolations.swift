/// Collects what breaks rules. A class, so that whoever checks may look at itself while it reports.
final class RuleViolations {
  private(set) var texts: [String] = []

  func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition { texts.append(text()) }
  }

  func add(_ text: String) { texts.append(text) }
}
