import Foundation
import Glibc

/// The options that were given, checked against a specification.
struct CommandOptions {
  private let specification: CommandSpecification
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// Reads `--name value`, `--name=value` and switches.
  init(_ arguments: [String], for specification: CommandSpecification) throws(CommandError) {
    self.specification = specification
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if let positional = specification.positional, !argument.hasPrefix("-") || Double(argument) != nil,
        values[positional] == nil
      {
        values[positional] = argument
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = specification.options.first(where: { $0.name == parts[0] }) else {
        throw .usage("'\(argument)' is not an option of `greenroom \(specification.name)`.")
      }
      if option.value == nil {
        guard parts.count == 1 else { throw .usage("\(option.name) takes no value.") }
        flags.insert(option.name)
      } else if parts.count == 2 {
        values[option.name] = parts[1]
      } else if option.isValueOptional, rest.first?.hasPrefix("--") ?? true {
        flags.insert(option.name)
      } else {
        guard let value = rest.popFirst() else { throw .usage("\(option.name) needs a value.") }
        values[option.name] = value
      }
    }
    for option in specification.options where option.isRequired && values[option.name] == nil {
      throw .usage("\(option.name) \(option.value ?? "") is missing.")
    }
  }

  /// Whether a switch was given.
  func has(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

  /// Whether an option that may stand without a value does.
  func isBare(_ name: String) -> Bool { flags.contains(name) && values[name] == nil }

  /// An option's value or its default.
  func string(_ name: String) -> String? {
    values[name] ?? specification.options.first { $0.name == name }?.defaultValue
  }

  /// The value of an option that is needed or has a default.
  func text(_ name: String) -> String { string(name) ?? "" }

  /// A whole number within a range; `nil` if it was not given and has no default.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int? {
    guard let text = string(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage("\(name) is '\(text)', but must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// A number of seconds, more than 0; `nil` if it was not given.
  func seconds(_ name: String) throws(CommandError) -> Double? {
    guard let text = string(name) else { return nil }
    guard let number = Double(text), number > 0, number <= 1e7 else {
      throw .usage("\(name) is '\(text)', but must be a number of seconds above 0.")
    }
    return number
  }

  /// A user's number.
  func uid(_ name: String) throws(CommandError) -> UInt? {
    try integer(name, in: 1...4_294_967_295).map(UInt.init)
  }

  /// A server's WebSocket address.
  func server(_ name: String = "--server") throws(CommandError) -> String {
    let text = text(name)
    let parts = URLComponents(string: text)
    guard ["ws", "wss"].contains(parts?.scheme), parts?.host?.isEmpty == false, (1...65_535).contains(parts?.port ?? 80)
    else {
      throw .usage("\(name) is '\(text)', but must be ws://HOST:PORT or wss://HOST:PORT.")
    }
    return text
  }

  /// A file to be written at the end: told at once if that cannot work.
  func output(_ name: String) throws(CommandError) -> String? {
    guard let path = string(name) else { return nil }
    let directory = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
    guard access(directory, W_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw .failure("\(path) cannot be written: \(reason). Choose a place you may write to.")
    }
    return path
  }

  /// HOST:PORT.
  func endpoint(_ name: String) throws(CommandError) -> (host: String, port: UInt16)? {
    guard let text = string(name) else { return nil }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw .usage("\(name) is '\(text)', but must be HOST:PORT, for example 127.0.0.1:8080.")
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { throw .usage("\(name) is '\(text)': the host is missing.") }
    return (host, port)
  }

  /// WIDTHxHEIGHT, both even.
  func size(_ name: String) throws(CommandError) -> (width: Int, height: Int)? {
    guard let text = string(name) else { return nil }
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ (16...4_096).contains($0) && $0 % 2 == 0 }) else {
      throw .usage("\(name) is '\(text)', but must be WIDTHxHEIGHT with even numbers from 16 to 4096.")
    }
    return (parts[0], parts[1])
  }
}
