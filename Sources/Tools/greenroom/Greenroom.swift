@preconcurrency import Glibc

/// The `greenroom` program: one executable, a file for each subcommand.
@main
enum Greenroom {
  static var commands: [any Command.Type] {
    [
      ServeCommand.self, PublishCommand.self, WatchCommand.self, CallCommand.self, AnswerCommand.self,
      TokenMakeCommand.self, TokenShowCommand.self, TokenCheckCommand.self, DevicesCommand.self, PreviewCommand.self,
      DemoCommand.self, ActorCommand.self,
    ]
  }

  static func main() {
    // Lines must come out as they happen, also into a pipe.
    setvbuf(stdout, nil, _IOLBF, 0)
    signal(SIGPIPE, SIG_IGN)
    // A file that may not become longer is an error of the write, as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    guard let name = arguments.first else {
      print(usage)
      return .usage
    }
    if ["--help", "-h", "help"].contains(name) {
      print(usage)
      return .success
    }
    if name == "--version" {
      print("greenroom \(version)")
      return .success
    }
    // Names have one word or two.
    if let status = explainGroup(arguments) { return status }
    guard
      let command = commands.first(where: {
        arguments.starts(with: $0.specification.name.split(separator: " ").map(String.init))
      })
    else {
      Terminal.error("There is no command '\(name)'. `greenroom --help` lists them.")
      return .usage
    }
    let words = command.specification.name.split(separator: " ").count
    let rest = Array(arguments.dropFirst(words))
    if rest.contains("--help") || rest.contains("-h") {
      print(command.specification.help)
      return .success
    }
    do throws(CommandError) {
      return try command.run(try CommandOptions(rest, for: command.specification))
    } catch {
      Terminal.error(error.message)
      if error.status == .usage {
        Terminal.error("`greenroom \(command.specification.name) --help` lists the options.")
      }
      return error.status
    }
  }

  /// `token` alone is no command, but begins some: what they are.
  private static func explainGroup(_ arguments: [String]) -> ExitStatus? {
    let group = arguments[0]
    let members = commands.map { $0.specification }.filter { $0.name.hasPrefix(group + " ") }
    let names = members.map { String($0.name.dropFirst(group.count + 1)) }
    guard !members.isEmpty, arguments.count < 2 || !names.contains(arguments[1]) else { return nil }
    guard let word = arguments.dropFirst().first else {
      print(groupUsage(group, members))
      return .usage
    }
    if ["--help", "-h", "help"].contains(word) {
      print(groupUsage(group, members))
      return .success
    }
    Terminal.error("There is no command '\(group) \(word)'. `greenroom \(group) --help` lists them.")
    return .usage
  }

  private static func groupUsage(_ group: String, _ members: [CommandSpecification]) -> String {
    """
    Usage: greenroom \(group) COMMAND [OPTIONS]

    Commands:
    \(list(members))

    `greenroom \(group) COMMAND --help` explains a command.
    """
  }

  private static func list(_ specifications: [CommandSpecification]) -> String {
    let width = specifications.map(\.name.count).max() ?? 0
    return specifications.map { "  \($0.name.padded(to: width))  \($0.summary)" }.joined(separator: "\n")
  }

  static let version = "0.1"

  private static var usage: String {
    let visible = commands.map { $0.specification }.filter { !$0.isInternal }
    return """
      greenroom: live shows and private calls on Linux.

      Usage: greenroom COMMAND [OPTIONS]

      Commands:
      \(list(visible))

      `greenroom COMMAND --help` explains a command. `greenroom --version` prints the version.
      """
  }
}
