import ControlWire

extension SignalError {
  /// What is wrong with sending `message` to `uid` before it is tried, or `nil`; for those who write a client.
  public static func problem(with message: String, to uid: UInt) -> SignalError? {
    SignalError(problemWith: message, to: uid)
  }

  /// What is wrong with sending `message` to `uid` before it is tried, or `nil`.
  init?(problemWith message: String, to uid: UInt) {
    if !ControlProtocol.isValidUID(uid) {
      self = .invalidUID(uid)
    } else if message.utf8.count > SendRequest.maximumMessageByteCount {
      self = .messageTooLong(byteCount: message.utf8.count)
    } else if message.utf8.contains(0) {
      self = .messageNotText
    } else {
      return nil
    }
  }
}
