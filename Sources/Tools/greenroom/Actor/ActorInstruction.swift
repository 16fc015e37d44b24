/// What an actor is asked to do: one line of JSON on its standard input. Each is answered by a report `done`.
struct ActorInstruction: Codable, Sendable {
  enum Action: String, Codable, Sendable {
    case logIn, prepare, joinLive, leaveLive, publish, unpublish
    case call, accept, reject, cancel, hangUp
    case snapshot, writeLog, quit
  }

  /// Counts up; the answer has the same.
  var id = 0
  var action: Action
  /// The live channel, or the room to prepare for calls.
  var channel: String?
  /// The other side of a call.
  var peer: UInt?
  var isAudioOnly: Bool?
  /// Joins as broadcaster and publishes.
  var isHost: Bool?
  /// How long a call may ring.
  var timeoutMilliseconds: Int?
  /// Where to write to; for snapshots, what the files' names begin with.
  var path: String?
}
