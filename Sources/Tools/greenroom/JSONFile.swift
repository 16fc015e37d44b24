import Foundation

/// Writes values as JSON files that people can read.
enum JSONFile {
  static func write(_ value: some Encodable, to path: String) throws(CommandError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .failure("\(path) could not be written: \(error.reason). Choose a place you may write to.")
    }
  }
}
