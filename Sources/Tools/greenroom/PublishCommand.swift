import MediaBase
import MediaEngine
import Synchronization

/// `greenroom publish`: a broadcaster.
enum PublishCommand: Command {
  static let specification = CommandSpecification(
    name: "publish", summary: "publish a camera and a microphone in a channel",
    details: """
      Joins the channel as broadcaster and publishes until SIGINT, SIGTERM or --seconds. Files are played in real time, over
      and over. Exits with 1 if nothing of the video or of the audio was sent.
      """,
    options: SharedOptions.connection + SharedOptions.media + [
      .optional("--seconds", "S", "end after this time"),
      .optional("--stats", "F.json", "write totals to this file at the end"),
      .flag("--simulcast", "send a second, smaller video beside the first, for viewers who want less"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let statisticsPath = try options.output("--stats")
    let session = try ClientSession(options, publishes: true)
    defer { session.engine.destroy() }
    let seconds = try options.seconds("--seconds")
    if options.has("--simulcast") { session.engine.enableDualStreamMode(true) }
    try session.join(
      ChannelMediaOptions(
        publishCameraTrack: session.hasVideo, publishMicrophoneTrack: session.hasAudio, clientRoleType: .broadcaster))
    session.interruption.wait(seconds: seconds)
    try session.checkConnection()
    let statistics = session.engine.statistics()
    if let path = statisticsPath { try JSONFile.write(StatisticsReport(statistics, meter: nil), to: path) }
    session.engine.leaveChannel()
    let (pictures, sounds) = (statistics?.sentVideoFrames ?? 0, statistics?.sentAudioFrames ?? 0)
    Terminal.event("sent \(pictures) pictures and \(sounds) packets of sound")
    if session.hasVideo && pictures == 0 { throw .failure("No picture was sent.") }
    if session.hasAudio && sounds == 0 { throw .failure("No sound was sent.") }
    return .success
  }
}
