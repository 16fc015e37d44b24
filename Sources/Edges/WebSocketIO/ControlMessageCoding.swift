import ControlWire
import Foundation

/// Control messages as the JSON texts that travel in WebSockets.
public enum ControlMessageCoding {
  /// The JSON text of a message.
  public static func encode(_ message: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return String(decoding: try encoder.encode(message), as: UTF8.self)
  }

  /// The message in a JSON text; throws if it is not one of this type.
  public static func decode<Message: Decodable>(
    _ type: Message.Type, from text: String
  ) throws(ControlMessageError) -> Message {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw ControlMessageError(error)
    } catch let error as ControlValueError {
      throw .wrongType(member: error.member, expected: error.expected)
    } catch {
      throw .unreadable
    }
  }
}
