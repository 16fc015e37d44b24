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
    let places = try reader.places { CodingKeys(stringValue: $0) }
    let version = try reader.read(at: places[.version]) { try $0.text() }
    let action = try reader.read(at: places[.action]) { try $0.integer(UInt.self) }.flatMap { CallAction(rawValue: $0) }
    guard version == Self.version, let action,
      let sender = try reader.read(at: places[.fromUserID], { try $0.integer(UInt.self) })
    else { throw JSONReader.Failure.notExpected }
    self.init(action, fromUserID: sender, callID: try reader.read(at: places[.callID]) { try $0.text() } ?? "")
    // Answers repeat the id: strangers must not make it long.
    guard callID.utf8.count <= ReportRequest.maximumNameByteCount else { throw JSONReader.Failure.notExpected }
    timestamp = try reader.read(at: places[.timestamp]) { try $0.integer() } ?? 0
    messageID = try reader.read(at: places[.messageID]) { try $0.integer() }
    remoteUserID = try reader.read(at: places[.remoteUserID]) { try $0.integer() }
    fromRoomID = try reader.read(at: places[.fromRoomID]) { try $0.text() }
    rejectReason = try reader.read(at: places[.rejectReason]) { try $0.text() }
    isRejectedByBusyness = try reader.read(at: places[.rejectByInternal]) { try $0.integer(Int.self) } == 1
    isCancelledByTimer = try reader.read(at: places[.cancelCallByInternal]) { try $0.integer(Int.self) } == 1
    hangupReason = try reader.read(at: places[.hangupReason]) { try $0.text() }
    publicKey = try reader.read(at: places[.publicKey]) { try $0.textIfAny() }.flatMap { HexadecimalText.decode($0) }
    fromUserExtension = try reader.read(at: places[.fromUserExtension]) { try $0.object(depth: 1) }
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
