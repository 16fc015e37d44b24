/// The options of a subcommand and the texts of its help.
struct CommandSpecification {
  /// One option.
  struct Option {
    /// With its dashes: `--server`.
    var name: String
    /// What its value is called in the help; `nil` for a switch.
    var value: String?
    /// One line for the help.
    var help: String
    /// Used when it is not given.
    var defaultValue: String?
    /// Whether it must be given.
    var isRequired = false
    /// Whether it may stand without its value, as a switch.
    var isValueOptional = false

    /// An option that must be given.
    static func required(_ name: String, _ value: String, _ help: String) -> Option {
      Option(name: name, value: value, help: help, isRequired: true)
    }

    /// An option with a value.
    static func optional(_ name: String, _ value: String, _ help: String, default defaultValue: String? = nil) -> Option
    {
      Option(name: name, value: value, help: help, defaultValue: defaultValue)
    }

    /// An option without a value.
    static func flag(_ name: String, _ help: String) -> Option { Option(name: name, help: help) }
  }

  var name: String
  /// One line for the list of commands.
  var summary: String
  /// A few sentences for the command's own help.
  var details: String
  var options: [Option]
  /// The option that a word without dashes stands for.
  var positional: String?
  /// Not listed: used by other commands only.
  var isInternal = false

  /// What `--help` prints.
  var help: String {
    let rows = options.map { option -> (String, String) in
      let value = option.value.map { option.isValueOptional ? " [\($0)]" : " \($0)" } ?? ""
      let head = (option.name == positional ? "\(option.value ?? "") or " : "") + option.name + value
      let note = option.isRequired ? " (needed)" : option.defaultValue.map { " (default: \($0))" } ?? ""
      return (head, option.help + note)
    }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { "  \($0.0.padded(to: width))  \($0.1)" }
    let head = "greenroom \(name): \(summary)\n\n\(details)"
    return lines.isEmpty ? head : head + "\n\nOptions:\n" + lines.joined(separator: "\n")
  }
}

extension String {
  /// The text with spaces behind it up to `count` characters.
  func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
