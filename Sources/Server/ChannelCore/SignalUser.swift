import ControlWire
import MediaBase

/// A user who is logged in, or whose session waits for another connection.
struct SignalUser: Sendable {
  /// Counts logins, so that a later one of the same uid is told apart.
  let login: UInt64
  /// `nil` for a client that cannot confirm texts and cannot resume.
  let session: String?
  /// The connection; `nil` while there is none.
  var client: UInt64?
  /// Since when there is no connection.
  var lossTime: MediaInstant?

  /// What makes other servers know of the login; where there are others.
  var claim: SignalClaim?
  /// Whether its number has been asked for.
  var isClaimAsked = false
  /// The highest number of a login elsewhere that was told before the number of `claim` was known.
  var rivalNumber: UInt64 = 0

  /// The highest request that was taken, with a session.
  var highestRequestID: Int?
  /// Answers that may have been lost together with their connection.
  var answers: [Answer] = []

  /// Number of the newest text to this user. Counting up from 2^52 at most, it cannot overflow.
  var sequence: Int
  /// Texts that the user's client has not confirmed, by rising number.
  var held = HeldTexts()

  /// The answer to a request.
  struct Answer: Sendable {
    var requestID: Int
    /// `nil` for success.
    var error: ErrorResponse?
    /// After that the request is not sent again.
    var expiryTime: MediaInstant
  }

  /// As many as requests a client may leave unanswered.
  static let answerLimit = 128

  init(login: UInt64, session: String?, client: UInt64, sequence: Int) {
    self.login = login
    self.session = session
    self.client = client
    self.sequence = sequence
  }

  mutating func remember(_ answer: Answer, now: MediaInstant) {
    answers.removeAll { $0.expiryTime <= now }
    if answers.count >= Self.answerLimit { answers.removeFirst() }
    answers.append(answer)
  }
}

/// Who waits for what becomes of a text.
public enum SignalOrigin: Hashable, Sendable {
  /// A user of this server.
  case user(uid: UInt, login: UInt64, requestID: Int)
  /// Another server, by what it calls the text.
  case remote(server: String, number: UInt64)
  /// Nobody.
  case nobody
}
