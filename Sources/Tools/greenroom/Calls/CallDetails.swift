import CallAPI

/// What a state of a call is told with.
struct CallDetails: Sendable {
  /// Who sent the message that led to the state; of connected: the other side.
  var sender: UInt?
  var callID: String?
  /// Why a call was rejected or has ended, in somebody's words.
  var explanation: String?
  /// Whether the call has ended since nothing was heard of the other side, or of the server.
  var isAbandonment: Bool

  init(eventReason: String, eventInfo: [String: JSONValue]) {
    sender = eventInfo[CallInfoKey.fromUserID]?.wholeNumber.flatMap { UInt(exactly: $0) }
    callID = eventInfo[CallInfoKey.callID]?.text
    let hangupReason = eventInfo[CallInfoKey.hangupReason]?.text
    // What has come as a message says that the other side took this one for gone.
    isAbandonment = hangupReason == "remoteLeft" && eventInfo["message_action"] == nil
    let words = eventInfo[CallInfoKey.rejectReason]?.text ?? (isAbandonment ? nil : hangupReason) ?? eventReason
    explanation = words.isEmpty ? nil : Terminal.plain(words)
  }
}
