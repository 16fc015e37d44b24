import ALSAAudio
import Glibc
import LinuxIO
import MediaBase

/// Speaker and microphone by way of PulseAudio, through its plugin of ALSA, with the loop as its devices; PipeWire takes its
/// place for the same plugin.
enum SoundServerCase {
  private static let directory = "/tmp/pulse"

  static func run() throws -> String {
    mkdir(directory, 0o700)
    setenv("PULSE_RUNTIME_PATH", directory, 1)
    setenv("PULSE_SERVER", "unix:\(directory)/native", 1)
    var server = try startServer()
    defer { server.end(SIGKILL) }
    let (source, listener) = (TonePlayer("hw:Loopback,0,1"), SoundRecorder("hw:Loopback,1,0"))
    try source.start()
    try listener.start()
    let (speaker, microphone) = (TonePlayer("pulse"), SoundRecorder("pulse"))
    defer {
      for recorder in [microphone, listener] { recorder.source.stop() }
      for player in [speaker, source] { player.playout.stop() }
    }

    try speaker.start()

    try microphone.start()

    try SoundCases.waitForTone(microphone, Tone.frequency, "the microphone")
    try SoundCases.waitForTone(listener, Tone.frequency, "the speaker")
    server.end(SIGKILL)
    try wait("news of the server's end") {
      if case .some(.some) = microphone.interruptions.last { true } else { false }
    }
    let turns = speaker.turns
    try wait("the clock of the speaker to go on") { speaker.turns > turns + 100 }
    server = try startServer()
    let begin = MonotonicClock.now()
    try SoundCases.waitForTone(microphone, Tone.frequency, "the microphone, later")
    try SoundCases.waitForTone(listener, Tone.frequency, "the speaker, later")
    return "heard again \((MonotonicClock.now() - begin).milliseconds) ms after another server has come"
  }

  private static func startServer() throws -> ChildProcess {
    unlink("\(directory)/native")
    let server = try ChildProcess(
      [
        "/usr/bin/pulseaudio", "-n", "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no",
        "--log-target=stderr",
        "-L", "module-native-protocol-unix socket=\(directory)/native auth-anonymous=1",
        "-L", "module-alsa-sink device=hw:Loopback,0,0 rate=48000",
        "-L", "module-alsa-source device=hw:Loopback,1,1 rate=48000",
      ], output: "/tmp/pulse.log")
    try wait("PulseAudio") { access("\(directory)/native", F_OK) == 0 }
    return server
  }
}
