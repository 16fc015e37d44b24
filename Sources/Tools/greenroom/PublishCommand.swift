import MediaBase
import MediaEngine
import Synchronization

/// `greenroom publish`: a broadcaster.
enum PublishCommand: Command {
  static let specification = CommandSpecification(
    name: "publish", summary: "publish a camera and a microphone in a channel",
    details: """
      Joins the channel as broadcaster and publishes until SIGINT, SIGTERM or --seconds. Files are played in real time, over
      and over.
      """,
    options: SharedOptions.connection + SharedOptions.media + [
      .optional("--seconds", "S", "end after this time"),
      .optional("--stats", "F.json", "write totals to this file at the end"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let session = try ClientSession(options, publishes: true)
    defer { session.engine.destroy() }
    let seconds = try options.seconds("--seconds")
    try session.join(
      ChannelMediaOptions(
        publishCameraTrack: session.hasVideo, publishMicrophoneTrack: session.hasAudio, clientRoleType: .broadcaster))
    session.interruption.wait(seconds: seconds)
    try session.checkFailure()
    let statistics = session.engine.statistics()
    if let path = options.string("--stats") { try JSONFile.write(StatisticsReport(statistics, meter: nil), to: path) }
    session.engine.leaveChannel()
    Terminal.event(
      "sent \(statistics?.sentVideoFrames ?? 0) pictures and \(statistics?.sentAudioFrames ?? 0) packets of sound")
    return .success
  }
}
