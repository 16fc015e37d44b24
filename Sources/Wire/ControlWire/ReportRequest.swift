/// What one side of a call tells the server about it, for the call's record. Only the two users of a call may report on it,
/// while it goes on and for a while after.
public struct ReportRequest: Hashable, Sendable {
  /// As in `SendRequest`.
  public var requestID: Int
  /// The call's id, as in the messages of the call.
  public var callID: String
  /// What the report is about: `connected` (the first frame has been shown or heard) and `ended` are known; others are kept
  /// as they are.
  public var kind: String
  /// Milliseconds since the call began at which steps were reached, by their names in `costTimeMap`. Replaces what the user
  /// has reported before under the same names.
  public var costs: [String: Int]
  /// Numbers that say how good the call was, for example `receivedVideoFrameRate`. Replaces in the same way.
  public var quality: [String: Double]

  /// The kind that says that the call is connected now.
  public static let connected = "connected"
  /// The kind that sums up a call that has ended.
  public static let ended = "ended"
  /// Most entries of `costs` and of `quality`.
  public static let maximumEntryCount = 64
  /// Longest `callID`, `kind` and names, in bytes of UTF-8.
  public static let maximumNameByteCount = 128
  /// Most bytes of UTF-8 that the names in `costs` and `quality` may have together, in all that a user reports on a call.
  public static let maximumNamesByteCount = 4_096

  /// Makes a report.
  public init(
    requestID: Int, callID: String, kind: String, costs: [String: Int] = [:], quality: [String: Double] = [:]
  ) {
    self.requestID = requestID
    self.callID = callID
    self.kind = kind
    self.costs = costs
    self.quality = quality
  }

  /// Whether everything is as long as it may be and all numbers are finite.
  public var isValid: Bool {
    let names = [callID, kind] + costs.keys + quality.keys
    return !callID.isEmpty && costs.count <= Self.maximumEntryCount && quality.count <= Self.maximumEntryCount
      && names.allSatisfy { $0.utf8.count <= Self.maximumNameByteCount } && quality.values.allSatisfy(\.isFinite)
      && Self.namesByteCount(costs, quality) <= Self.maximumNamesByteCount
  }

  /// Bytes of UTF-8 that the names in `costs` and `quality` have together.
  public static func namesByteCount(_ costs: [String: Int], _ quality: [String: Double]) -> Int {
    costs.keys.reduce(0) { $0 + $1.utf8.count } + quality.keys.reduce(0) { $0 + $1.utf8.count }
  }
}

extension ReportRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case requestID, kind, costs, quality
    // As in the messages of calls.
    case callID = "callId"
  }

  /// Reads a report; `costs` and `quality` may be missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    requestID = try container.decode(Int.self, forKey: .requestID)
    callID = try container.decode(String.self, forKey: .callID)
    kind = try container.decode(String.self, forKey: .kind)
    costs = try container.decodeIfPresent([String: Int].self, forKey: .costs) ?? [:]
    quality = try container.decodeIfPresent([String: Double].self, forKey: .quality) ?? [:]
  }
}
