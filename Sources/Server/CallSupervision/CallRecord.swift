import ControlWire

/// What the server keeps of a call. Times are milliseconds since 1970 on the server's clock.
public struct CallRecord: Hashable, Sendable, Codable {
  /// What was asked for first.
  public enum MediaType: String, Codable, Sendable {
    case video, audio
  }

  /// Why a call is over.
  public enum EndReason: String, Codable, Sendable {
    /// One side hung up.
    case hangup
    /// The caller gave up before it was accepted.
    case cancelled
    /// A side's time to wait was over.
    case timeout
    /// The callee did not want it.
    case rejected
    /// The callee was in another call.
    case busy
    /// The callee was not logged in.
    case unreachable
    /// The same caller called again.
    case replaced
    /// Both called each other, and the other call stood.
    case glare
    /// A side was gone from the channel for too long; the other hung up, or went too.
    case lost
    /// It was accepted, but never were both in the channel; whoever was there hung up, or went too.
    case neverConnected
    /// Nobody said anything for too long; the server ended it.
    case unanswered
    /// The server was started again meanwhile, and neither side came back.
    case interrupted
    /// It was accepted, neither side was ever in the channel on this server, and nobody said that it was over: for too long, or
    /// until there was no room for more calls.
    case unended
  }

  /// The call's id, made by the caller.
  public var callID: String
  /// Who called.
  public var caller: UInt
  /// Who was called.
  public var callee: UInt
  /// The channel.
  public var room: String
  /// With or without pictures.
  public var type: MediaType
  /// When the call went out.
  public var startTime: Int64
  /// When the callee accepted.
  public var acceptTime: Int64?
  /// When both were in the channel after that, or one of them said that it saw or heard the other; whichever came first.
  public var connectTime: Int64?
  /// When it was over.
  public var endTime: Int64?
  /// Who ended it; nobody if the server did.
  public var endedBy: UInt?
  /// Why it is over.
  public var endReason: EndReason?
  /// In the application's words.
  public var endDetail: String?
  /// What the sides have reported: milliseconds since the call began at which steps were reached, by uid.
  public var costs: [String: [String: Int]] = [:]
  /// What the sides have reported of the quality, by uid.
  public var quality: [String: [String: Double]] = [:]

  enum CodingKeys: String, CodingKey {
    case callID = "callId"
    case caller, callee, room, type, startTime, acceptTime, connectTime, endTime, endedBy, endReason, endDetail, costs
    case quality
  }

  /// Makes the record of a call that begins.
  public init(callID: String, caller: UInt, callee: UInt, room: String, type: MediaType, startTime: Int64) {
    self.callID = callID
    self.caller = caller
    self.callee = callee
    self.room = room
    self.type = type
    self.startTime = startTime
  }

  /// The other side of one of the two.
  func other(than uid: UInt) -> UInt { uid == caller ? callee : caller }

  /// Both sides.
  var parties: [UInt] { [caller, callee] }

  /// What an entry of a report counts beside its name.
  private static let entryByteCount = 32

  /// What all that has been reported counts.
  public var reportByteCount: Int {
    Set(costs.keys).union(quality.keys).reduce(0) { $0 + reportByteCount(of: $1) }
  }

  /// What the reports of one side count.
  func reportByteCount(of key: String) -> Int {
    let (costs, quality) = (costs[key] ?? [:], quality[key] ?? [:])
    return ReportRequest.namesByteCount(costs, quality) + (costs.count + quality.count) * Self.entryByteCount
  }
}
