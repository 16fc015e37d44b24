import ALSAAudio
import MediaBase
import MediaEngine
import PictureFiles

/// `greenroom watch`: a viewer.
enum WatchCommand: Command {
  static let specification = CommandSpecification(
    name: "watch", summary: "watch and hear a channel",
    details: """
      Joins the channel as audience. Exits with 2 if nothing was seen or heard. Latency is measured where pictures carry the
      burnt-in clock, as those of `greenroom publish` do, and both programs run on one machine.
      """,
    options: SharedOptions.connection + [
      .optional("--seconds", "S", "how long to watch (default: until SIGINT or SIGTERM)"),
      .optional("--snapshot", "F.png", "write the last picture to this file"),
      .optional("--record", "FILE", RecordingDesk.help),
      .optional("--stats", "F.json", "write totals to this file"),
      .optional(
        "--layer", "high|low", "which video of users who send two", default: "high"),
      .flag("--window", "show the pictures in windows"),
      .flag("--speaker", "play the sound on the default speaker"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let (statisticsPath, snapshotPath) = (try options.output("--stats"), try options.output("--snapshot"))
    let desk = try options.output("--record").map { path throws(CommandError) in try RecordingDesk(path: path) }
    let playout: (any AudioPlayout)? = options.has("--speaker") ? SpeakerPlayout() : nil
    let session = try ClientSession(options, publishes: false, playout: playout)
    defer { session.engine.destroy() }
    let seconds = try options.seconds("--seconds")
    let layer = try streamType(options.text("--layer"))
    let meter = ReceptionMeter(onPicturesBegin: { [weak session] key, _ in
      guard let session, options.has("--window") else { return }
      session.engine.setupRemoteVideo(
        VideoCanvas(uid: key.uid, target: .window(title: "\(key.channel): \(key.uid)")))
    })
    meter.attach(to: session.engine)
    if let desk { record(to: desk, from: session.engine, meter) }
    try session.join(ChannelMediaOptions(clientRoleType: .audience))
    session.engine.setRemoteDefaultVideoStreamType(layer)
    session.interruption.wait(seconds: seconds)
    desk?.finish()
    try session.checkConnection()
    let report = StatisticsReport(session.engine.statistics(), meter: meter)
    let receptions = meter.receptions
    session.engine.leaveChannel()
    for user in report.remote { Terminal.event(summary(of: user)) }
    if let path = statisticsPath { try JSONFile.write(report, to: path) }
    if let path = snapshotPath, let newest = newestPicture(receptions) { try write(newest, to: path) }
    let nothing = receptions.values.allSatisfy { $0.frameCount == 0 && $0.audibleFrameCount == 0 }
    if nothing {
      Terminal.error("Nothing was seen or heard in \(session.channel): does anybody publish there?")
      return .nothingReceived
    }
    return .success
  }

  private static func record(to desk: RecordingDesk, from engine: RTCEngine, _ meter: ReceptionMeter) {
    engine.setRemoteEncodedVideoFrameObserver { desk.receive($0) }
    engine.setAudioFrameObserver { sound in
      meter.receive(sound)
      desk.receive(sound)
    }
  }

  private static func streamType(_ text: String) throws(CommandError) -> VideoStreamType {
    switch text {
    case "high": .high
    case "low": .low
    default: throw .usage("--layer must be high or low, not '\(text)'.")
    }
  }

  private static func newestPicture(_ receptions: [ReceptionMeter.Key: ReceptionMeter.Reception]) -> VideoFrame? {
    receptions.values.filter { $0.lastPicture != nil }
      .max { $0.lastFrameTime ?? .zero < $1.lastFrameTime ?? .zero }?.lastPicture
  }

  private static func write(_ picture: VideoFrame, to path: String) throws(CommandError) {
    do {
      try PNGFile.write(picture, to: path)
    } catch {
      throw .failure("\(error)")
    }
  }

  private static func summary(of user: StatisticsReport.Remote) -> String {
    var text = "user \(user.uid): \(user.frames) pictures of \(user.width)x\(user.height)"
    if let rate = user.framesPerSecond { text += ", \(Terminal.fixed(rate, decimals: 1)) per second" }
    if let p50 = user.latencyP50Milliseconds, let p95 = user.latencyP95Milliseconds {
      text += ", latency p50 \(Terminal.fixed(p50, decimals: 1)) ms, p95 \(Terminal.fixed(p95, decimals: 1)) ms"
    }
    return text + ", \(Terminal.fixed(user.audibleSeconds, decimals: 1)) s of sound"
  }
}
