import Foundation

extension CallMessage {
  /// Reads a message's JSON text; throws for anything else.
  public init(text: String) throws { self = try JSONDecoder().decode(CallMessage.self, from: Data(text.utf8)) }

  /// The message's JSON text.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only numbers that are not finite and too deep values cannot be written; such an extension is left out.
    if let data = try? encoder.encode(self) { return String(decoding: data, as: UTF8.self) }
    var plain = self
    plain.fromUserExtension = [:]
    return (try? encoder.encode(plain)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The message as the details of a state: its fields without the number.
  var info: [String: JSONValue] {
    var plain = self
    plain.messageID = nil
    return (try? JSONDecoder().decode([String: JSONValue].self, from: Data(plain.text.utf8))) ?? [:]
  }
}
