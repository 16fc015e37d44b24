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

  /// - Parameter onReport: called with every report of the calls, after it has been printed.
  init(_ options: CommandOptions, onReport: @escaping @Sendable (CallObserver.Report) -> Void) throws(CommandError) {
    let uid = try CallSettings.uid(options)
    let configuration = try CallSettings.engine(options)
    snapshotPath = try options.output("--snapshot")
    interruption = Interruption()
    printer = EventPrinter()
    let departure = CallDeparture()
    let participant = CallParticipant(uid: uid, engine: configuration, delegate: printer) { report in
      Self.print(report)
      departure.take(report)
      onReport(report)
    }
    departure.hangUp = { [weak participant] in participant?.calls.hangup(remoteUserID: $0) }
    self.participant = participant
    let showsWindow = options.has("--window")
    meter = ReceptionMeter(onPicturesBegin: { [weak participant] key, _ in
      guard let participant, showsWindow else { return }
      participant.engine.setupRemoteVideoEx(
        VideoCanvas(uid: key.uid, target: .window(title: "Call with \(key.uid)")),
        connection: RTCConnection(channelID: key.channel, localUID: participant.uid))
    })
    meter.attach(to: participant.engine)
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
    case .disconnected(_, let uid, let milliseconds):
      Terminal.event("call ended by \(uid) after \(Terminal.fixed(Double(milliseconds) / 1_000, decimals: 1)) s")
    case .error(let event, _, let message): Terminal.error("\(event): \(message)")
    case .event, .debug: break
    }
  }
}
