import CallAPI
import MediaBase
import MediaEngine
import PictureFiles
import Synchronization

/// One run of `call` or `answer`: a participant, what it receives, and the wait for the end.
final class CallRun: Sendable {
  let participant: CallParticipant
  let interruption: Interruption
  private let meter: ReceptionMeter
  private let printer: EventPrinter
  private let snapshotPath: String?
  private let live: LiveStatistics
  private let ringMilliseconds: Int
  private let absenceMilliseconds: Int
  private let remoteView: VideoCanvas.Target?
  private let encryption: CallEncryptionPolicy
  private let tokenProvider: PrepareConfiguration.TokenProvider?

  /// - Parameter onReport: called with every report of the calls, after it has been printed.
  init(_ options: CommandOptions, onReport: @escaping @Sendable (CallObserver.Report) -> Void) throws(CommandError) {
    let uid = try CallSettings.uid(options)
    let configuration = try CallSettings.engine(options)
    snapshotPath = try options.output("--snapshot")
    interruption = Interruption()
    encryption = try CallSettings.encryption(options)
    tokenProvider = options.string("--room-token-command").map { RoomTokenCommand.provider($0) }
    printer = EventPrinter()
    let live = LiveStatistics()
    participant = CallParticipant(
      uid: uid, token: options.text("--token"), engine: configuration, delegate: printer
    ) { report in
      live.take(report)
      Self.print(report)
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
  }

  /// Logs in and gets ready, with `room` as the channel of outgoing calls (empty: a fresh one for each).
  func begin(room: String = "") throws(CommandError) {
    try participant.logIn()
    try participant.prepare(
      room: room, timeoutMilliseconds: ringMilliseconds, absenceMilliseconds: absenceMilliseconds,
      encryption: encryption, tokenProvider: tokenProvider, remoteView: remoteView)
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

  private static func print(_ report: CallObserver.Report) {
    switch report {
    case .state(let state, let reason, let peer):
      Terminal.event("call: \(state) (\(reason))" + (peer.map { ", user \($0)" } ?? ""))
    case .connected(let room): Terminal.event("call connected in \(room)")
    case .encrypted(let text): Terminal.event("encrypted between the ends; both see: \(text)")
    case .disconnected(_, let uid, let milliseconds):
      Terminal.event("call ended by \(uid) after \(Terminal.fixed(Double(milliseconds) / 1_000, decimals: 1)) s")
    case .error(let event, _, let message): Terminal.error("\(event): \(message)")
    case .abandoned(let peer):
      Terminal.event("user \(peer ?? 0) has gone without hanging up: the call ends")
    case .event(let event, let text): Terminal.event("event: \(event)" + (text.map { " (\($0))" } ?? ""))
    case .debug: break
    }
  }
}
