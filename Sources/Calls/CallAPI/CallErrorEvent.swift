/// What kind of trouble `CallAPIListener.onCallError` tells of.
public enum CallErrorEvent: UInt, Sendable {
  /// Something else.
  case normalError = 0
  /// The engine reported an error.
  case rtcOccurError = 100
  /// The camera could not be started, or has failed.
  case startCaptureFail = 110
  /// A message could not be sent.
  case sendMessageFail = 210
}

/// Whose code an error's code is.
public enum CallErrorCodeType: UInt, Sendable {
  /// The call layer's own.
  case normal = 0
  /// The engine's (`EngineErrorCode`).
  case rtc = 100
  /// The signalling's (`SignalError.code`).
  case message = 110
}
