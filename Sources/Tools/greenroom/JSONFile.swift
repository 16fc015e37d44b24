import Foundation

/// Writes values as JSON files that people can read.
enum JSONFile {
  /// The same text, to be printed.
  static func text(_ value: some Encodable) throws(CommandError) -> String {
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw .failure("The report could not be written: \(error.reason).")
    }
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  static func write(_ value: some Encodable, to path: String) throws(CommandError) {
    do {
      try encoder.encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .failure("\(path) could not be written: \(error.reason). Choose a place you may write to.")
    }
  }
}
