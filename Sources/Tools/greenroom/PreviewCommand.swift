import MediaBase
import Synchronization

/// `greenroom preview`: a look at camera and microphone that nobody else gets.
enum PreviewCommand: Command {
  static let specification = CommandSpecification(
    name: "preview", summary: "show a camera in a window, with a level meter for the microphone",
    details: """
      Nothing is sent, and no server is needed. Ends when the window is closed, at SIGINT or SIGTERM, or after --seconds. Exits
      with 1 if camera or display cannot be used, and with 2 if no picture came.
      """,
    options: SharedOptions.media.filter { $0.name != "--kbps" } + [
      .optional("--seconds", "S", "end after this time"),
      .flag("--unmirrored", "show the picture as others see it, not as in a mirror"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let media = try MediaChoice(video: options.text("--video"), audio: options.text("--audio"))
    guard media.video != nil || media.audio != nil else {
      throw .usage("--video and --audio are both none: there is nothing to show.")
    }
    guard let size = try options.size("--size"), let rate = try options.integer("--fps", in: 1...60) else {
      throw .usage("--size and --fps need values.")
    }
    let seconds = try options.seconds("--seconds")
    let interruption = Interruption()
    let window = PreviewWindow(
      name: title(media.video?.name ?? media.audio?.name ?? ""), size: size, isMirrored: !options.has("--unmirrored"),
      onEnd: { interruption.end() })
    defer { window.finish() }
    try start(media, VideoCaptureFormat(width: size.width, height: size.height, frameRate: rate), window)
    interruption.wait(seconds: seconds)
    media.video?.stop()
    media.audio?.stop()
    Terminal.status("")
    return try conclude(window, media)
  }

  /// A file's name without its folders.
  private static func title(_ name: String) -> String {
    name.hasPrefix("/dev/") ? name : name.split(separator: "/").last.map(String.init) ?? name
  }

  /// A microphone that cannot be used is told, and the camera is shown all the same.
  private static func start(
    _ media: MediaChoice, _ format: VideoCaptureFormat, _ window: PreviewWindow
  ) throws(CommandError) {
    watch(media.video, media.video?.name)
    watch(media.audio, media.audio?.name)
    do throws(MediaDeviceError) {
      try media.video?.start(
        format: format, sink: { window.show($0) }, onFailure: { Terminal.error("The picture ends: \($0)") })
    } catch {
      throw .failure("No picture: \(error)")
    }
    do throws(MediaDeviceError) {
      try media.audio?.start(sink: { window.hear($0) }, onFailure: { Terminal.error("The sound ends: \($0)") })
    } catch {
      guard media.video != nil else { throw .failure("No sound: \(error)") }
      Terminal.error("No sound: \(error)")
    }
  }

  /// Tells when a device that comes back by itself has gone, and when it is there again.
  private static func watch(_ source: AnyObject?, _ name: String?) {
    (source as? any RecoveringSource)?.setInterruptionObserver { error in
      if let error { Terminal.error("\(error)") } else { Terminal.event("\(name ?? "the device") is there") }
    }
  }

  private static func conclude(_ window: PreviewWindow, _ media: MediaChoice) throws(CommandError) -> ExitStatus {
    if let failure = window.failure { throw .failure("No window: \(failure)") }
    let totals = window.totals
    var words: [String] = []
    if let video = media.video { words.append("\(totals.pictures) pictures of \(video.name)") }
    if let audio = media.audio {
      words.append("the loudest of \(audio.name) at \(totals.loudest.map { "\($0) dB" } ?? "silence")")
    }
    Terminal.event(words.joined(separator: ", "))
    if media.video != nil, totals.pictures == 0 {
      Terminal.error("The camera gave no picture.")
      return .nothingReceived
    }
    return .success
  }
}
