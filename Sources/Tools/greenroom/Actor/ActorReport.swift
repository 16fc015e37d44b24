import LinuxIO

/// What an actor has done or noticed: one line of JSON on its standard output.
struct ActorReport: Codable, Sendable {
  enum Kind: String, Codable, Sendable {
    case ready, done, freed
    case state, event, connected, disconnected, callError
    case joined, userJoined, userLeft, picturesBegin, soundBegins, engineError
  }

  /// A picture that has been written.
  struct Snapshot: Codable, Sendable {
    var path: String
    var channel: String
    var uid: UInt
  }

  /// Threads and descriptors of the process.
  struct Usage: Codable, Sendable {
    var threads: Int
    var descriptors: Int

    init(_ statistics: ProcessStatistics) {
      threads = statistics.threadCount
      descriptors = statistics.fileDescriptorCount
    }
  }

  var kind: Kind
  /// Nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
  var time: Int64 = 0
  /// Of the instruction that is done, and when it began.
  var id: Int?
  var begin: Int64?
  var channel: String?
  /// The user that it is about.
  var uid: UInt?
  /// A state's or an event's number, and that of the reason.
  var code: UInt?
  var reason: UInt?
  /// Its name, or what went wrong.
  var text: String?
  var snapshots: [Snapshot]?
  var usageBefore: Usage?
  var usageAfter: Usage?

  init(_ kind: Kind, channel: String? = nil, uid: UInt? = nil, text: String? = nil) {
    self.kind = kind
    self.channel = channel
    self.uid = uid
    self.text = text
  }
}
