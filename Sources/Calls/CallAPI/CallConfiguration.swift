public import MediaEngine
public import Signaling

/// What a `CallAPI` works with.
public struct CallConfiguration: Sendable {
  /// The application's id; may be empty for a server in development mode.
  public var appID: String
  /// The local user, 1 to 2^32 - 1; the one that `signalClient` is logged in as.
  public var userID: UInt
  /// Joins the channels of calls.
  public var engine: RTCEngine
  /// Carries the messages; the application logs it in and out.
  public var signalClient: any SignalClient
  /// Gets reports of what is done; `nil` for none.
  public var reporter: (any CallReporter)?

  /// Makes a configuration.
  public init(
    appID: String = "", userID: UInt, engine: RTCEngine, signalClient: any SignalClient,
    reporter: (any CallReporter)? = nil
  ) {
    self.appID = appID
    self.userID = userID
    self.engine = engine
    self.signalClient = signalClient
    self.reporter = reporter
  }
}
