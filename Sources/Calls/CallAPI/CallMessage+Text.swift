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
