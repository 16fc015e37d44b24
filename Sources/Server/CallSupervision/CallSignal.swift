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

extension CallSignal {
  private enum Member: String {
    case action = "message_action"
    case version = "message_version"
    case fromUserID = "fromUserId"
    case callID = "callId"
    case roomID = "fromRoomId"
    case rejectReason, hangupReason, rejectByInternal, cancelCallByInternal
    // Of no use here; but whoever gets the message drops it if they are wrong.
    case timestamp = "message_timestamp"
    case messageID = "messageId"
    case remoteUserID = "remoteUserId"
  }

  /// Reads a message as the sides of a call do; throws for what is none to them.
  public init(text: String) throws {
    var reader = JSONReader(text)
    let places = try reader.places { Member(rawValue: $0) }
    func words(_ member: Member) throws -> String? { try reader.read(at: places[member]) { try $0.text() } }
    func number<Number: FixedWidthInteger>(_ member: Member, _: Number.Type) throws -> Number? {
      try reader.read(at: places[member]) { try $0.integer(Number.self) }
    }
    let isBusy = try number(.rejectByInternal, Int.self) == 1
    let isTimeout = try number(.cancelCallByInternal, Int.self) == 1
    let (rejectReason, hangupReason) = (try words(.rejectReason), try words(.hangupReason))
    _ = (
      try number(.timestamp, Int64.self), try number(.messageID, Int64.self), try number(.remoteUserID, UInt.self)
    )
    guard try words(.version) == "1.0", let action = try number(.action, Int.self).flatMap({ Action(rawValue: $0) }),
      let sender = try number(.fromUserID, UInt.self)
    else { throw JSONReader.Failure.notExpected }
    self.init(
      action: action, fromUserID: sender, callID: try words(.callID) ?? "", roomID: try words(.roomID) ?? "",
      isInternal: action == .reject && isBusy || action == .cancelCall && isTimeout)
    let reason = action == .reject ? rejectReason : action == .hangup ? hangupReason : nil
    self.reason = reason.map {
      String($0.prefix(Self.maximumReasonCharacterCount)).prefix(byteCount: Self.maximumReasonByteCount)
    }
    guard callID.utf8.count <= Self.maximumNameByteCount, roomID.utf8.count <= Self.maximumNameByteCount else {
      throw JSONReader.Failure.notExpected
    }
  }
}
