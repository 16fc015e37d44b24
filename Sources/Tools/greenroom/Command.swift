/// One subcommand.
protocol Command {
  /// Its name, options and help.
  static var specification: CommandSpecification { get }
  /// Does the work; throws what a person has to be told.
  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus
}

/// What the process answers with. docs and `--help` list them.
enum ExitStatus: Int32 {
  /// Done.
  case success = 0
  /// Could not be done; the message on standard error says why.
  case failure = 1
  /// Connected, but nothing was seen or heard.
  case nothingReceived = 2
  /// The call was rejected, or the other side is busy.
  case rejected = 3
  /// The call was not answered in time.
  case noAnswer = 4
  /// The command line is wrong (EX_USAGE of sysexits).
  case usage = 64
}

/// A failure, as a sentence for people.
struct CommandError: Error {
  var message: String
  var status: ExitStatus

  /// The command line is wrong.
  static func usage(_ message: String) -> CommandError { CommandError(message: message, status: .usage) }
  /// The work could not be done.
  static func failure(_ message: String) -> CommandError { CommandError(message: message, status: .failure) }
}
