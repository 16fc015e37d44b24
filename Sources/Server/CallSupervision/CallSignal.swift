import ControlWire

/// What the server understands of a message between the two sides of a call; docs/calls.md shows the whole.
public struct CallSignal: Hashable, Sendable {
  /// What it asks for, by the numbers of `message_action`.
  public enum Action: Int, Sendable {
    case videoCall = 0
    case cancelCall = 1
    case accept = 2
    case reject = 3
    case hangup = 4
    case audioCall = 10
  }

  /// What it asks for.
  public var action: Action
  /// Who sends it, in the sender's own words.
  public var fromUserID: UInt
  /// Which call it belongs to; may be empty.
  public var callID: String
  /// The call's channel; with calls.
  public var roomID: String
  /// Why, in the application's words.
  public var reason: String?
  /// Whether no person has asked for it: busy, or out of time.
  public var isInternal: Bool

  /// Longest `callID` and `roomID` that are kept, in bytes of UTF-8; others are no calls.
  public static let maximumNameByteCount = ReportRequest.maximumNameByteCount
  /// As much of `reason` is kept: so many characters, and bytes of UTF-8, of which one character can have any number.
  public static let maximumReasonCharacterCount = 200
  /// As much of `reason` is kept, in bytes of UTF-8.
  public static let maximumReasonByteCount = 800

  /// Makes a signal.
  public init(
    action: Action, fromUserID: UInt, callID: String, roomID: String = "", reason: String? = nil,
    isInternal: Bool = false
  ) {
    self.action = action
    self.fromUserID = fromUserID
    self.callID = callID
    self.roomID = roomID
    self.reason = reason
    self.isInternal = isInternal
  }
}

extension CallSignal: Decodable {
  private enum CodingKeys: String, CodingKey {
    case action = "message_action"
    case version = "message_version"
    case fromUserID = "fromUserId"
    case callID = "callId"
    case roomID = "fromRoomId"
    case rejectReason, hangupReason, rejectByInternal, cancelCallByInternal
  }

  /// Reads a message; throws for what is not one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(String.self, forKey: .version) == "1.0",
      let action = Action(rawValue: try container.decode(Int.self, forKey: .action))
    else {
      throw DecodingError.dataCorruptedError(forKey: .action, in: container, debugDescription: "not a message of calls")
    }
    self.action = action
    fromUserID = try container.decode(UInt.self, forKey: .fromUserID)
    callID = try container.decodeIfPresent(String.self, forKey: .callID) ?? ""
    roomID = try container.decodeIfPresent(String.self, forKey: .roomID) ?? ""
    let reason: String? =
      switch action {
      case .reject: try? container.decodeIfPresent(String.self, forKey: .rejectReason)
      case .hangup: try? container.decodeIfPresent(String.self, forKey: .hangupReason)
      default: nil
      }
    self.reason = reason.map {
      String($0.prefix(Self.maximumReasonCharacterCount)).prefix(byteCount: Self.maximumReasonByteCount)
    }
    let flag =
      (try? container.decodeIfPresent(Int.self, forKey: action == .reject ? .rejectByInternal : .cancelCallByInternal))
    isInternal = flag == 1
    guard callID.utf8.count <= Self.maximumNameByteCount, roomID.utf8.count <= Self.maximumNameByteCount else {
      throw DecodingError.dataCorruptedError(forKey: .callID, in: container, debugDescription: "too long")
    }
  }
}
