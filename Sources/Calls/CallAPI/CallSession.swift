import MediaEngine

/// On which of two ways the server has told that it has removed the other side: who is in the channel by an engine hears
/// of it on both.
enum CallRemovalSource: Sendable {
  case channel, message
}

/// The call of the moment.
struct CallSession: Sendable {
  var type = CallType.video
  var callID = ""
  var room: String?
  var peer: UInt?
  var isLocalAccepted = false
  /// Whether the other side has agreed: by calling, or by accepting.
  var isRemoteAccepted = false
  var hasFirstFrame = false
  /// Whether this side called.
  var isCaller = false
  /// Whether this side called, and the other has surely not heard of it.
  var isUnheard = false
  /// Whether a call of the other side has crossed this one and has not counted.
  var hasBeenCrossed = false
  /// Whether the other side is in the channel, as far as is known.
  var isPeerPresent = false
  /// Whether this side has lost its connection to the channel.
  var isCutOff = false
  /// Whether the timer runs because of that.
  var isAbsenceTimed = false
  /// From where this side has heard that the server has removed the other side, until it hears the same from elsewhere.
  var removalSource: CallRemovalSource?
  /// This side's keys for the call, if it may be encrypted.
  var keyPair: CallKeyPair?
  var encryption = CallMediaEncryption.none
  /// What both users see alike, if nobody stands between them.
  var authenticationText: String?
  var startTime: MediaInstant?
  var joinTime: MediaInstant?
  var connectingTime: MediaInstant?
  var connectedTime: CallInstant?
  /// Milliseconds since the start at which steps were reached.
  var costs: [String: JSONValue] = [:]
}
