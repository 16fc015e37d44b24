import ControlWire

/// A message between the two sides of a call; docs/calls.md shows its JSON.
public struct CallMessage: Hashable, Sendable {
  /// The only version of the format.
  public static let version = "1.0"
  /// What a busy side answers to a call.
  public static let busyReason = "The user is currently busy"
  /// Why a side that insists on encryption between the ends does not take part.
  public static let encryptionReason = "The call cannot be encrypted between the ends"
  /// Why a call ends whose channel the called user's application has joined for itself.
  public static let channelReason = "The channel of the call cannot be used"

  /// What it asks for.
  public var action: CallAction
  /// Who sends it.
  public var fromUserID: UInt
  /// Which call it belongs to.
  public var callID: String
  /// When it was sent, in milliseconds since 1970 on the sender's clock.
  public var timestamp: Int64 = 0
  /// Counts the sender's messages from 1; a server's messages have none.
  public var messageID: Int64?
  /// What the application adds about the sender.
  public var fromUserExtension: [String: JSONValue]?
  /// Who is called; with calls.
  public var remoteUserID: UInt?
  /// The call's channel; with calls.
  public var fromRoomID: String?
  /// Why it is rejected.
  public var rejectReason: String?
  /// Whether it is rejected because the callee is in another call.
  public var isRejectedByBusyness = false
  /// Whether it is cancelled because a time to wait is over.
  public var isCancelledByTimer = false
  /// Why the call ends.
  public var hangupReason: String?
  /// The sender's key for agreeing on that of the call (X25519, 32 bytes); with calls and their acceptance.
  public var publicKey: [UInt8]?

  /// Makes a message.
  public init(_ action: CallAction, fromUserID: UInt, callID: String) {
    self.action = action
    self.fromUserID = fromUserID
    self.callID = callID
  }
}

extension CallMessage: Encodable {
  enum CodingKeys: String, CodingKey {
    case action = "message_action"
    case version = "message_version"
    case timestamp = "message_timestamp"
    case messageID = "messageId"
    case fromUserID = "fromUserId"
    case remoteUserID = "remoteUserId"
    case fromRoomID = "fromRoomId"
    case callID = "callId"
    case publicKey = "e2ePublicKey"
    case fromUserExtension, rejectReason, rejectByInternal, cancelCallByInternal, hangupReason
  }

  /// Writes the fields that belong to the action.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(action, forKey: .action)
    try container.encode(Self.version, forKey: .version)
    try container.encode(timestamp, forKey: .timestamp)
    try container.encodeIfPresent(messageID, forKey: .messageID)
    try container.encode(fromUserID, forKey: .fromUserID)
    try container.encode(callID, forKey: .callID)
    try container.encodeIfPresent(fromUserExtension, forKey: .fromUserExtension)
    switch action {
    case .videoCall, .audioCall:
      try container.encodeIfPresent(remoteUserID, forKey: .remoteUserID)
      try container.encodeIfPresent(fromRoomID, forKey: .fromRoomID)
      try encodePublicKey(into: &container)
    case .cancelCall: try container.encode(isCancelledByTimer ? 1 : 0, forKey: .cancelCallByInternal)
    case .reject:
      try container.encodeIfPresent(rejectReason, forKey: .rejectReason)
      try container.encode(isRejectedByBusyness ? 1 : 0, forKey: .rejectByInternal)
    case .hangup: try container.encodeIfPresent(hangupReason, forKey: .hangupReason)
    case .accept: try encodePublicKey(into: &container)
    }
  }

  private func encodePublicKey(into container: inout KeyedEncodingContainer<CodingKeys>) throws {
    try container.encodeIfPresent(publicKey.map { HexadecimalText.encode($0) }, forKey: .publicKey)
  }
}
