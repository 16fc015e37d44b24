import ALSAAudio
import MediaBase
import MediaEngine
import PictureComposition
import PictureFiles

/// `greenroom watch`: a viewer.
enum WatchCommand: Command {
  static let specification = CommandSpecification(
    name: "watch", summary: "watch and hear a channel",
    details: """
      Joins the channel as audience. Exits with 2 if nothing was seen or heard, and with 1 if it could not be recorded to the
      end. Latency is measured where pictures carry the burnt-in clock, as those of `greenroom publish` do, and both programs
      run on one machine.
      """,
    options: SharedOptions.connection + [
      .optional("--seconds", "S", "how long to watch (default: until SIGINT or SIGTERM)"),
      .optional(
        "--snapshot", "F.png|F.jpg",
        "write the last picture to this file; everybody's, side by side, if there are several"),
      .optional("--record", "FILE", RecordingDesk.help),
      .optional("--stats", "F.json", "write totals to this file"),
      .optional(
        "--layer", "high|low", "which video of users who send two", default: "high"),
      CommandSpecification.Option(
        name: "--window", value: "WxH",
        help: "show everybody in a window (1280x720 at first), with names, loudness and mute marks",
        isValueOptional: true),
      CommandSpecification.Option(
        name: "--speaker", value: "NAME", help: "play the sound on the default speaker, or on this one",
        isValueOptional: true),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let (statisticsPath, snapshotPath) = (try options.output("--stats"), try options.output("--snapshot"))
    let desk = try options.output("--record").map { path throws(CommandError) in try RecordingDesk(path: path) }
    let playout: (any AudioPlayout)? =
      options.has("--speaker") ? SpeakerPlayout(name: options.string("--speaker") ?? "default") : nil
    let session = try ClientSession(options, publishes: false, playout: playout)
    defer { session.engine.destroy() }
    let seconds = try options.seconds("--seconds")
    let layer = try streamType(options.text("--layer"))
    let meter = ReceptionMeter()
    let size = try options.size("--window") ?? (1_280, 720)
    let window = options.has("--window") ? WatchWindow(title: session.channel, size: size) : nil
    attach(meter, desk, window, to: session.engine)
    try session.join(ChannelMediaOptions(clientRoleType: .audience))
    session.engine.setRemoteDefaultVideoStreamType(layer)
    if let window {
      session.engine.addDelegateEx(
        window, connection: RTCConnection(channelID: session.channel, localUID: session.uid))
    }
    session.interruption.wait(seconds: seconds)
    desk?.finish()
    window?.finish()
    try session.checkConnection()
    let report = StatisticsReport(session.engine.statistics(), meter: meter)
    let receptions = meter.receptions
    session.engine.leaveChannel()
    for user in report.remote { Terminal.event(summary(of: user)) }
    if let path = statisticsPath { try JSONFile.write(report, to: path) }
    if let path = snapshotPath, let picture = picture(of: receptions) { try write(picture, to: path) }
    let nothing = receptions.values.allSatisfy { $0.frameCount == 0 && $0.audibleFrameCount == 0 }
    if nothing {
      Terminal.error("Nothing was seen or heard in \(session.channel): does anybody publish there?")
      return .nothingReceived
    }
    if desk?.hasFailed == true { throw .failure("The recording is not whole.") }
    return .success
  }

  private static func attach(
    _ meter: ReceptionMeter, _ desk: RecordingDesk?, _ window: WatchWindow?, to engine: RTCEngine
  ) {
    if let desk { engine.setRemoteEncodedVideoFrameObserver { desk.receive($0) } }
    engine.setRemoteVideoFrameObserver { [weak engine] picture in
      meter.receive(picture)
      if let window, let engine { window.show(picture.uid, of: engine) }
    }
    engine.setAudioFrameObserver { sound in
      meter.receive(sound)
      desk?.receive(sound)
      window?.hear(sound)
    }
  }

  private static func streamType(_ text: String) throws(CommandError) -> VideoStreamType {
    switch text {
    case "high": .high
    case "low": .low
    default: throw .usage("--layer must be high or low, not '\(text)'.")
    }
  }

  /// The last picture, or one of everybody's if several were seen.
  private static func picture(of receptions: [ReceptionMeter.Key: ReceptionMeter.Reception]) -> VideoFrame? {
    let seen = receptions.sorted { $0.key.uid < $1.key.uid }.filter { $0.value.lastPicture != nil }
    guard seen.count > 1 else { return seen.first?.value.lastPicture }
    let tiles = seen.map { GridTile(picture: $0.value.lastPicture, name: "\($0.key.uid)") }
    return GridPainter().paint(tiles, width: 1_280, height: 720)
  }

  private static func write(_ picture: VideoFrame, to path: String) throws(CommandError) {
    do {
      if path.hasSuffix(".jpg") || path.hasSuffix(".jpeg") {
        try JPEGFile.write(picture, to: path)
      } else {
        try PNGFile.write(picture, to: path)
      }
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
