/// Why a method of `CallAPI` failed: a code and a sentence.
public struct CallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// -1 for what this side found by itself, otherwise the signalling's code.
  public var code: Int
  /// For people.
  public var message: String

  /// Whether it is certain that the other side has not got the message that was to go out.
  public var isUndelivered: Bool

  /// Makes an error.
  public init(code: Int = -1, message: String, isUndelivered: Bool = false) {
    self.code = code
    self.message = message
    self.isUndelivered = isUndelivered
  }

  /// The message.
  public var description: String { message }

  static let notPrepared = CallError(message: "call fail! config or roomId is empty")
  static let notReady = CallError(message: "call fail! state busy or not initialized")
  static let nobodyToCancel = CallError(message: "cancelCall fail! callingUserId is empty")
  static let nothingToAccept = CallError(message: "accept fail! current userId or roomId is empty")
  static let busy = CallError(message: "currently busy")
  static let noKey = CallError(message: "call fail! no key could be made")
  /// -120: what the engine says of things that cannot be decrypted, 120, for the call as a whole.
  static let notEncrypted = CallError(code: -120, message: CallMessage.encryptionReason)
  static let notInitialized = CallError(message: "config is Empty")

  static func notCalling(_ state: CallState) -> CallError {
    CallError(message: "accept fail! current state[\(state.rawValue)] is not calling")
  }
}
