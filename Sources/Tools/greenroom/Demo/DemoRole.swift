/// Who takes part in the story.
enum DemoRole: UInt, CaseIterable, Codable, Sendable {
  case host = 1
  case viewer1, viewer2, caller

  var uid: UInt { rawValue }

  /// For people.
  var name: String {
    switch self {
    case .host: "host"
    case .viewer1: "viewer 1"
    case .viewer2: "viewer 2"
    case .caller: "caller"
    }
  }

  /// For names of files.
  var slug: String { name.replacing(" ", with: "-") }

  /// All who watch the show.
  static let audience: [DemoRole] = [.viewer1, .viewer2, .caller]

  /// A user's name, whoever it is.
  static func name(of uid: UInt) -> String { DemoRole(rawValue: uid)?.name ?? "user \(uid)" }
}
