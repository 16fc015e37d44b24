/// Names of the members of messages and of `eventInfo`.
public enum CallInfoKey {
  /// Who is called; of `connected`: this side.
  public static let remoteUserID = "remoteUserId"
  /// Who sent the message; of `connected`: the other side.
  public static let fromUserID = "fromUserId"
  /// What the sender's application adds.
  public static let fromUserExtension = "fromUserExtension"
  /// The call's channel.
  public static let fromRoomID = "fromRoomId"
  /// Which call it is.
  public static let callID = "callId"
  /// Why a call was rejected.
  public static let rejectReason = "rejectReason"
  /// 1 if a call was rejected because the callee is in another one.
  public static let rejectByInternal = "rejectByInternal"
  /// 1 if a call was cancelled because a time to wait was over.
  public static let cancelCallByInternal = "cancelCallByInternal"
  /// Why a call has ended.
  public static let hangupReason = "hangupReason"
  /// Of `connected` and with encryption between the ends: 12 digits that both sides see alike if nobody stands between
  /// them.
  public static let authenticationText = "authenticationText"
  /// When the steps of a call were reached, in milliseconds after its beginning; of `connected`.
  public static let costTimeMap = "costTimeMap"
}
