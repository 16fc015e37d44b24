import ALSAAudio
import Glibc
import LinuxIO
import MediaBase

/// Speaker and microphone by way of a sound server, through its plugin of ALSA, with the loop as its devices.
enum SoundServerCase {
  static func run(_ kind: SoundServer) throws -> String {
    try kind.configure()
    defer { unlink(SoundServer.configuration) }
    // The loop's other side plays one channel where the server records one.
    let mono = try SoundTool.play(SoundTool.Format(name: "S16_LE", rate: 48_000, channelCount: 1), substream: 2)
    defer { mono.end() }
    try SoundTool.waitUntilRunning("p", device: 0, substream: 2)
    var server = try kind.start()
    defer { server.forEach { $0.end() } }
    let (source, listener) = (TonePlayer("hw:Loopback,0,1"), SoundRecorder("hw:Loopback,1,0"))
    try source.start()
    let (speaker, microphone) = (TonePlayer("default"), SoundRecorder("default"))
    defer {
      for recorder in [microphone, listener] { recorder.source.stop() }
      for player in [speaker, source] { player.playout.stop() }
    }
    try speaker.start()
    try microphone.start()
    try SoundCases.waitForTone(microphone, Tone.frequency, "the microphone")
    // As many channels as the server plays: who comes first decides.
    try SoundTool.waitUntilRunning("p", device: 0, substream: 0)
    try listener.start()
    try SoundCases.waitForTone(listener, Tone.frequency, "the speaker")
    try hearMono()

    server.forEach { $0.end() }
    try wait("news of the server's end") {
      if case .some(.some) = microphone.interruptions.last { true } else { false }
    }
    try lookAtAbsence(microphone, speaker)
    server = try kind.start()
    let begin = MonotonicClock.now()
    try SoundCases.waitForTone(microphone, Tone.frequency, "the microphone, later")
    try SoundCases.waitForTone(listener, Tone.frequency, "the speaker, later")
    return "heard again \((MonotonicClock.now() - begin).milliseconds) ms after another server has come"
  }

  /// A microphone of one channel, which the server gives two.
  private static func hearMono() throws {
    let recorder = SoundRecorder("mono")
    try recorder.start()
    defer { recorder.source.stop() }
    try SoundCases.waitForTone(recorder, Tone.frequency, "the microphone of one channel")
  }

  /// Without the server everything goes on by the clock, nothing is tried without end, and the card that is free now is not
  /// taken in its place.
  private static func lookAtAbsence(_ microphone: SoundRecorder, _ speaker: TonePlayer) throws {
    try wait("the speaker's loss") { speaker.playout.statistics.rate == 0 }
    let (begin, frames, turns) = (MonotonicClock.now(), microphone.times.count, speaker.turns)
    let restarts = microphone.source.statistics.restarts + speaker.playout.statistics.restarts
    MonotonicClock.sleep(for: .seconds(2))
    let seconds = (MonotonicClock.now() - begin).seconds
    let rates = (Double(microphone.times.count - frames) / seconds, Double(speaker.turns - turns) / seconds)
    try check(
      abs(rates.0 - 100) < 15 && abs(rates.1 - 100) < 15, "without the server \(rates) times 10 ms a second")
    let statistics = [microphone.source.statistics, speaker.playout.statistics]
    try check(
      statistics.map(\.restarts).reduce(0, +) == restarts && statistics.allSatisfy { $0.rate == 0 },
      "another device was taken: \(statistics)")
    try check(statistics.allSatisfy { $0.interruptions < 100 }, "begun anew without end: \(statistics)")
  }
}
