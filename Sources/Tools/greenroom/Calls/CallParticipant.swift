import CallAPI
import MediaBase
import MediaEngine
import Signaling

/// Somebody who can call and be called: an engine, signalling and calls under one uid.
final class CallParticipant: Sendable {
  let uid: UInt
  let engine: RTCEngine
  let signal: WebSocketSignalClient
  let calls = CallAPI()
  /// For signalling and for rooms; empty for a server in development mode.
  let token: String
  private let observer: CallObserver

  /// Makes everything; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - token: see there.
  ///   - signaling: the server that calls are made by, if another than the engine's.
  init(
    uid: UInt, token: String = "", signaling: String? = nil, engine configuration: RTCEngineConfiguration,
    delegate: (any RTCEngineDelegate)? = nil,
    onReport: @escaping @Sendable (CallObserver.Report) -> Void
  ) {
    self.uid = uid
    self.token = token
    engine = RTCEngine(configuration: configuration, delegate: delegate)
    signal = WebSocketSignalClient(
      url: signaling ?? configuration.server, trustedCertificates: configuration.trustedCertificates)
    observer = CallObserver(onReport)
    calls.initialize(
      CallConfiguration(
        userID: uid, engine: engine, signalClient: signal,
        reporter: ServerCallReporter(signal, engine: engine, userID: uid)))
    calls.addListener(observer)
  }

  /// Logs in to the signalling, which calls need.
  func logIn() throws(CommandError) {
    let result = OneTime<SignalError?>()
    signal.login(uid: uid, token: token) { result.set($0) }
    guard let outcome = result.wait(seconds: 10) else {
      throw .failure("The server did not answer the login within 10 s. Is it the right address?")
    }
    if let error = outcome { throw .failure("\(error)") }
  }

  /// Gets ready to call and to be called, with `room` as the channel of outgoing calls (empty: a fresh one for each).
  func prepare(
    room: String = "", timeoutMilliseconds: Int = 15_000, absenceMilliseconds: Int = 0,
    encryption: CallEncryptionPolicy = .off, tokenProvider: PrepareConfiguration.TokenProvider? = nil,
    remoteView: VideoCanvas.Target? = nil
  ) throws(CommandError) {
    try check("Preparing for calls failed") { completion in
      calls.prepareForCall(
        PrepareConfiguration(
          roomID: room, rtcToken: token, tokenProvider: tokenProvider, callTimeoutMilliseconds: timeoutMilliseconds,
          endToEndEncryption: encryption,
          peerAbsenceTimeoutMilliseconds: absenceMilliseconds, remoteView: remoteView), completion: completion)
    }
  }

  /// Waits for the completion of one of the API's methods and throws its error.
  func check(_ problem: String, _ body: (@escaping CallAPI.Completion) -> Void) throws(CommandError) {
    let result = OneTime<CallError?>()
    body { result.set($0) }
    guard let outcome = result.wait(seconds: 10) else { throw .failure("\(problem): no answer within 10 s.") }
    if let error = outcome { throw .failure("\(problem): \(error.message)") }
  }

  /// Ends calls, signalling and media; returns when the engine's threads have ended.
  func close() {
    let ended = OneTime<Bool>()
    calls.deinitialize { _ in ended.set(true) }
    _ = ended.wait(seconds: 5)
    signal.logout()
    engine.destroy()
  }
}
