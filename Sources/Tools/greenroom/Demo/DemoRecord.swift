/// All that happened, for those who judge and draw it. Times are in nanoseconds of CLOCK_MONOTONIC.
struct DemoRecord: Sendable {
  /// One stretch of the story.
  struct Phase: Codable, Sendable {
    /// For names of files: short.
    var slug: String
    var title: String
    /// What is to be seen in it.
    var text: String
    var begin: Int64
    var end: Int64
    var pictures: [Picture] = []
  }

  /// What somebody saw at a phase's end.
  struct Picture: Codable, Sendable {
    var role: DemoRole
    /// Whose picture; the role itself for the local picture.
    var of: DemoRole
    var channel: String
    /// The file, relative to the report.
    var path: String
  }

  /// One call that was answered.
  struct Call: Sendable {
    var room: String
    var isAudioOnly: Bool
    /// When the caller called.
    var called: Int64
    /// When the host had stopped publishing in the show.
    var unpublished: Int64
    /// When the host accepted.
    var accepted: Int64 = 0
    /// When the caller hung up.
    var hungUp: Int64 = 0
    /// When the host began to publish again.
    var published: Int64 = 0
    /// Where the reports of the call lie.
    var reports = 0..<0
  }

  /// One call that came to nothing.
  struct Attempt: Sendable {
    var title: String
    var room: String
    /// State and reason numbers that each side must go through.
    var callerStates: [[UInt]]
    var hostStates: [[UInt]]
    var reports = 0..<0
  }

  static let liveChannel = "showroom"

  var media: DemoMedia
  var begin: Int64
  var end: Int64 = 0
  var phases: [Phase] = []
  var calls: [Call] = []
  var attempts: [Attempt] = []
  var joined: [DemoRole: Int64] = [:]
  var reports: [DemoInbox.Entry] = []
  var logs: [DemoRole: [ReceptionRecord]] = [:]
  var exitStatuses: [String: Int32] = [:]

  /// What one participant received of another in a channel.
  func reception(_ role: DemoRole, of other: DemoRole, in channel: String) -> ReceptionRecord? {
    logs[role]?.first { $0.uid == other.uid && $0.channel == channel }
  }
}
