import ControlWire
import Foundation

extension CallMessage {
  /// Reads a message's JSON text; throws for anything else, as if a needed field is missing, or if the version or action is
  /// not known.
  public init(text: String) throws {
    var reader = JSONReader(text)
    try self.init(reading: &reader)
  }

  /// Reads the message that a reader is at the beginning of; what the application adds only if the rest is a message.
  init(reading reader: inout JSONReader) throws {
    self.init(.videoCall, fromUserID: 0, callID: "")
    var (version, action, sender) = (String?.none, UInt?.none, UInt?.none)
    var place: Int?
    try reader.members { reader, name in
      switch CodingKeys(stringValue: name) {
      case .version: version = try reader.text()
      case .action: action = try reader.integer()
      case .fromUserID: sender = try reader.integer()
      case .callID: callID = try reader.text() ?? ""
      case .timestamp: timestamp = try reader.integer() ?? 0
      case .messageID: messageID = try reader.integer()
      case .remoteUserID: remoteUserID = try reader.integer()
      case .fromRoomID: fromRoomID = try reader.text()
      case .rejectReason: rejectReason = try reader.text()
      case .rejectByInternal: isRejectedByBusyness = try reader.integer(Int.self) == 1
      case .cancelCallByInternal: isCancelledByTimer = try reader.integer(Int.self) == 1
      case .hangupReason: hangupReason = try reader.text()
      case .publicKey: publicKey = try reader.textIfAny().flatMap { HexadecimalText.decode($0) }
      case .fromUserExtension: place = try reader.skip()
      case nil: try reader.skip()
      }
    }
    try reader.end()
    // Answers repeat the id: strangers must not make it long.
    guard version == Self.version, let action = action.flatMap({ CallAction(rawValue: $0) }), let sender,
      callID.utf8.count <= ReportRequest.maximumNameByteCount
    else { throw JSONReader.Failure.notExpected }
    self.action = action
    fromUserID = sender
    fromUserExtension = try place.flatMap { try reader.object(at: $0, depth: 1) }
  }

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

  /// The message as the details of a state: the fields of its text without the number.
  var info: [String: JSONValue] {
    var info: [String: JSONValue] = [
      "message_action": .integer(Int64(action.rawValue)), "message_version": .string(Self.version),
      "message_timestamp": .integer(timestamp), CallInfoKey.fromUserID: JSONValue(fromUserID),
      CallInfoKey.callID: .string(callID),
    ]
    info[CallInfoKey.fromUserExtension] = fromUserExtension.map { .object($0) }
    switch action {
    case .videoCall, .audioCall:
      info[CallInfoKey.remoteUserID] = remoteUserID.map { JSONValue($0) }
      info[CallInfoKey.fromRoomID] = fromRoomID.map { .string($0) }
    case .cancelCall: info[CallInfoKey.cancelCallByInternal] = isCancelledByTimer ? 1 : 0
    case .reject:
      info[CallInfoKey.rejectReason] = rejectReason.map { .string($0) }
      info[CallInfoKey.rejectByInternal] = isRejectedByBusyness ? 1 : 0
    case .hangup: info[CallInfoKey.hangupReason] = hangupReason.map { .string($0) }
    case .accept: break
    }
    return info
  }
}
