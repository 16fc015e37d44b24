import CallAPI
import ControlWire
import MediaBase
import MediaEngine
import PictureFiles
import Signaling
import Synchronization

/// One run of `call` or `answer`: a participant, and what it receives.
final class CallRun: Sendable {
  let participant: CallParticipant
  let encryption: CallEncryptionPolicy
  private let interruption: Interruption
  private let logoutCause = Mutex<SignalError?>(nil)
  private let meter: ReceptionMeter
  private let printer: EventPrinter
  private let snapshotPath: String?
  private let live: LiveStatistics
  private let ringMilliseconds: Int
  private let absenceMilliseconds: Int
  private let remoteView: VideoCanvas.Target?
  private let tokenProvider: PrepareConfiguration.TokenProvider?

  /// - Parameters:
  ///   - options: of the command.
  ///   - interruption: ended when the server ends the login.
  ///   - onReport: called with every report of the calls, after it has been printed.
  init(
    _ options: CommandOptions, _ interruption: Interruption,
    onReport: @escaping @Sendable (CallObserver.Report) -> Void
  ) throws(CommandError) {
    self.interruption = interruption
    let uid = try CallSettings.uid(options)
    let configuration = try CallSettings.engine(options)
    snapshotPath = try options.output("--snapshot")
    encryption = try CallSettings.encryption(options)
    tokenProvider = options.string("--room-token-command").map { RoomTokenCommand.provider($0) }
    printer = EventPrinter()
    let live = LiveStatistics()
    let connections = ConnectionWatch(uid: uid)
    let callPrinter = CallPrinter(uid: uid, connections: connections)
    participant = CallParticipant(
      uid: uid, token: options.text("--token"),
      signaling: options.has("--signaling") ? try options.server("--signaling") : nil, engine: configuration,
      delegate: printer
    ) { report in
      live.take(report)
      connections.take(report)
      callPrinter.print(report)
      onReport(report)
    }
    try EncryptionChoice.apply(options, to: participant.engine)
    self.live = live
    live.attach(to: participant.engine, uid: uid)
    ringMilliseconds = Int((try options.seconds("--ring") ?? 15) * 1_000)
    absenceMilliseconds = Int((try options.seconds("--absence") ?? 10) * 1_000)
    remoteView = options.has("--window") ? .window(title: "Call of user \(uid)") : nil
    meter = ReceptionMeter()
    meter.attach(to: participant.engine)
    connections.attach(to: participant.engine)
    participant.signal.addHandler { [weak self] event in self?.take(event) }
  }

  /// The client logs in again by itself, unless the server does not let it.
  private func take(_ event: SignalEvent) {
    guard case .connectionStateChanged(.disconnected, let cause?) = event else { return }
    logoutCause.withLock { $0 = cause }
    interruption.end()
  }

  /// Fails if the server has ended the login: nothing can come about any more.
  func checkLogin() throws(CommandError) {
    guard let cause = logoutCause.withLock({ $0 }) else { return }
    if cause.code == ControlErrorCode.sameUIDLogin.rawValue {
      throw .failure(
        "User \(participant.uid) has logged in a second time, perhaps in another terminal or in a browser. A user can be "
          + "logged in only once, so this login has ended. Give each its own --uid.")
    }
    throw .failure("The server has ended the login of user \(participant.uid): \(cause)")
  }

  /// Logs in and gets ready, with `room` as the channel of outgoing calls (empty: a fresh one for each).
  func begin(room: String = "") throws(CommandError) {
    try participant.logIn()
    try participant.prepare(
      room: room, timeoutMilliseconds: ringMilliseconds, absenceMilliseconds: absenceMilliseconds,
      encryption: encryption, tokenProvider: tokenProvider, remoteView: remoteView)
  }

  /// A token for a channel that is no call's, made as those for the rooms of calls are.
  func token(for channel: String) throws(CommandError) -> String {
    guard let tokenProvider else { return participant.token }
    let result = OneTime<String?>()
    tokenProvider(channel, participant.uid) { result.set($0) }
    guard let token = result.wait(seconds: 10) ?? nil else { throw .failure("There is no token for \(channel).") }
    return token
  }

  /// Hangs up or cancels, whichever fits, and waits until it has been sent.
  func endCall(with peer: UInt) {
    let ended = OneTime<Bool>()
    switch participant.calls.state {
    case .calling: participant.calls.cancelCall { _ in ended.set(true) }
    case .connecting, .connected: participant.calls.hangup(remoteUserID: peer) { _ in ended.set(true) }
    default: ended.set(true)
    }
    _ = ended.wait(seconds: 3)
  }

  /// Prints what came of each user and writes the snapshot; whether anything was seen or heard.
  func summarize() throws(CommandError) -> Bool {
    live.stop()
    let receptions = meter.receptions
    for (key, reception) in receptions.sorted(by: { $0.key.uid < $1.key.uid }) {
      var text = "user \(key.uid) in \(key.channel): \(reception.frameCount) pictures"
      if let p50 = reception.latencies.percentile(0.5) {
        text += ", latency p50 \(Terminal.fixed(p50, decimals: 1)) ms"
      }
      Terminal.event(text + ", \(Terminal.fixed(Double(reception.audibleFrameCount) / 100, decimals: 1)) s of sound")
    }
    let newest = receptions.values.filter { $0.lastPicture != nil }
      .max { $0.lastFrameTime ?? .zero < $1.lastFrameTime ?? .zero }?.lastPicture
    if let snapshotPath, let newest {
      do throws(MediaDeviceError) { try PNGFile.write(newest, to: snapshotPath) } catch {
        throw .failure(error.description)
      }
    }
    return receptions.values.contains { $0.frameCount > 0 || $0.audibleFrameCount > 0 }
  }
}
