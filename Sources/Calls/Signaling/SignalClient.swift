/// A way for users to send each other short texts, such as the messages of calls.
///
/// Everything may be called from any thread. Completions and handlers are called on a thread of the client's, one after
/// another in the order of events, and never inside the call that led to them; they must not block. A text to a user who
/// is not logged in fails; nothing is stored. A text is handed to its receiver's handlers at most once, and those of one
/// sender in order; one that is too old to be worth it is not handed on at all. Letting a client go logs it out without
/// further events. docs/signalling.md shows how to write one.
public protocol SignalClient: AnyObject, Sendable {
  /// Who is logged in or wants to be; `nil` before `login` and after `logout`.
  var uid: UInt? { get }

  /// Whether texts can be sent and received now.
  var connectionState: SignalConnectionState { get }

  /// Logs in, in place of whoever was logged in before. After success the client stays logged in, over lost
  /// connections too, until `logout` or until the server removes it.
  ///
  /// - Parameters:
  ///   - uid: 1 to 4,294,967,295.
  ///   - token: proof; empty for a server in development mode.
  ///   - completion: gets `nil` on success. After an error the client is logged out.
  func login(uid: UInt, token: String, completion: @escaping @Sendable (SignalError?) -> Void)

  /// Goes on with another token, before the present one runs out. Later logins by itself use it too.
  ///
  /// - Parameters:
  ///   - token: the new one, of the same user.
  ///   - completion: gets `nil` once the token has been taken. After an error the login goes on with the present one.
  func renewToken(_ token: String, completion: @escaping @Sendable (SignalError?) -> Void)

  /// Logs out. Texts without an answer so far fail with `.notLoggedIn`; they may have arrived. Harmless when logged out.
  func logout()

  /// Sends a text to a user.
  ///
  /// - Parameters:
  ///   - message: at most 32,768 bytes of UTF-8, without U+0000.
  ///   - uid: the receiver.
  ///   - completion: gets `nil` once the receiver's client has the text. After an error it is unknown
  ///     whether a text that had been sent has arrived; `SignalError.isCertain` tells.
  func send(message: String, to uid: UInt, completion: @escaping @Sendable (SignalError?) -> Void)

  /// Sends a text that must not come later than after `timeToLiveMilliseconds`, and may come until then; `nil` for what the
  /// client finds right. Clients that do not know such a limit need not have this.
  func send(
    message: String, to uid: UInt, timeToLiveMilliseconds: Int?,
    completion: @escaping @Sendable (SignalError?) -> Void)

  /// Has `handler` called with every event from now on, until `removeHandler`. Handlers are called in the order of adding.
  @discardableResult
  func addHandler(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID

  /// Takes a handler off. A call that is under way on another thread may still end after this.
  func removeHandler(_ id: SignalHandlerID)
}

extension SignalClient {
  /// Sends a text without regard to its age.
  public func send(
    message: String, to uid: UInt, timeToLiveMilliseconds: Int?,
    completion: @escaping @Sendable (SignalError?) -> Void
  ) { send(message: message, to: uid, completion: completion) }
}
