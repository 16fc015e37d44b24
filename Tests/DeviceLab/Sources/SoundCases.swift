import ALSAAudio
import Glibc
import LinuxIO
import MediaBase

/// Cases of the sound card: what is played on its first device is recorded from the same substream of its second.
enum SoundCases {
  /// A quarter of a second of the tone within 0.1 % and 0.3 dB, with all else 40 dB weaker. The guest may be kept waiting,
  /// which spoils a piece, so that it gets more than one chance; a tone that is wrong never becomes right.
  @discardableResult
  static func waitForTone(_ recorder: SoundRecorder, _ frequency: Double, _ what: String) throws -> [Int16] {
    var last = "nothing was recorded"
    let end = MonotonicClock.now() + .seconds(30)
    _ = recorder.take()
    while MonotonicClock.now() < end {
      MonotonicClock.sleep(for: .milliseconds(50))
      guard recorder.count >= 12_000 else { continue }
      let samples = Array(recorder.take().prefix(12_000))
      let tone = Tone.measure(samples, near: frequency)
      let level = 20 * log10(max(tone.amplitude, 1) / TonePlayer.amplitude)
      if abs(tone.frequency - frequency) < 1, abs(level) < 0.3, tone.rest < -40 { return samples }
      last = "\(tone.frequency) Hz, \(level) dB, the rest at \(tone.rest) dB"
    }
    throw LabFailure("\(what): \(last)")
  }

  /// Whether samples are the tone bit for bit, at some phase.
  private static func isExact(_ samples: [Int16]) -> Bool {
    let period = TonePlayer.period
    return (0..<48).contains { phase in
      samples.indices.allSatisfy { abs(Int(samples[$0]) - Int(period[($0 + phase) % 48])) <= 0 }
    }
  }

  private static let formats = [
    SoundTool.Format(name: "S16_LE", rate: 8_000, channelCount: 1),
    SoundTool.Format(name: "S32_LE", rate: 16_000, channelCount: 2),
    SoundTool.Format(name: "FLOAT_LE", rate: 32_000, channelCount: 1),
    SoundTool.Format(name: "S16_LE", rate: 44_100, channelCount: 2),
    SoundTool.Format(name: "S16_LE", rate: 48_000, channelCount: 2),
    SoundTool.Format(name: "FLOAT_LE", rate: 48_000, channelCount: 2),
    SoundTool.Format(name: "S32_LE", rate: 96_000, channelCount: 1),
  ]

  /// Of a kind that is left to ALSA's converters.
  private static func foreign(channelCount: Int) -> SoundTool.Format {
    SoundTool.Format(name: "S16_BE", rate: 48_000, channelCount: channelCount)
  }

  static func recordedFormats() throws -> String {
    let formats = formats + [foreign(channelCount: 1)]
    for (index, format) in formats.enumerated() {
      let substream = index % 4
      let tool = try SoundTool.play(format, substream: substream)
      defer { tool.end() }
      try SoundTool.waitUntilRunning("p", device: 0, substream: substream)
      let recorder = SoundRecorder("hw:Loopback,1,\(substream)", channelCount: 1)
      try recorder.start()
      let samples = try waitForTone(recorder, Tone.frequency, "\(format)")
      let statistics = recorder.source.statistics
      recorder.source.stop()
      try check(
        statistics.rate == format.rate && statistics.channelCount == format.channelCount,
        "\(format) became \(statistics)")
      if format.rate == 48_000 {
        try check(isExact(samples), "\(format): the samples are not those that were played")
      }
    }
    return "\(formats.count) formats"
  }

  static func playedFormats() throws -> String {
    let formats = formats + [foreign(channelCount: 2)]
    for (index, format) in formats.enumerated() { try playFormat(format, substream: index % 4, attempts: 3) }
    return "\(formats.count) formats"
  }

  /// A piece that was interrupted says nothing of the format: it is played again.
  private static func playFormat(_ format: SoundTool.Format, substream: Int, attempts: Int) throws {
    for _ in 0..<attempts {
      let tool = try SoundTool.record(format, substream: substream, seconds: 2)
      defer { tool.process.end() }
      try SoundTool.waitUntilRunning("c", device: 1, substream: substream)
      let player = TonePlayer("plughw:CARD=Loopback,DEV=0,SUBDEV=\(substream)")
      try player.start()
      let status = tool.process.status
      let statistics = player.playout.statistics
      player.playout.stop()
      try check(status == 0, "arecord ended with \(status) for \(format)")
      try check(
        statistics.rate == format.rate && statistics.channelCount == format.channelCount,
        "\(format) became \(statistics)")
      let samples = SoundTool.read(tool.path, format)
      let piece = Array(samples.suffix(format.rate * 3 / 4).prefix(format.rate / 2))
      let tone = Tone.measure(piece, near: Tone.frequency * 48_000 / Double(format.rate))
      let frequency = tone.frequency * Double(format.rate) / 48_000
      let level = 20 * log10(tone.amplitude / TonePlayer.amplitude)
      guard statistics.interruptions == 0 else { continue }
      try check(abs(frequency - Tone.frequency) < 1, "\(format): \(frequency) Hz")
      try check(abs(level) < 0.3 && tone.rest < -40, "\(format): \(level) dB, the rest is at \(tone.rest) dB")
      return
    }
    throw LabFailure("\(format): interrupted each of \(attempts) times")
  }

  static func stopped() throws -> String {
    let output = "/tmp/loop-sound"
    let helper = try ChildProcess([HelperProcess.path(), "--loop-sound", "5"], output: output)
    try wait("the other process") { Self.words(of: output).first == "ready" }
    MonotonicClock.sleep(for: .seconds(1))
    helper.send(SIGSTOP)
    MonotonicClock.sleep(for: .milliseconds(700))
    helper.send(SIGCONT)
    MonotonicClock.sleep(for: .seconds(2))
    helper.send(SIGTERM)
    let status = helper.status
    let words = Array(Self.words(of: output).dropFirst())
    let text = words.joined(separator: " ")
    try check(status == 0 && words.count == 7, "\(status): \(text)")
    let numbers = words.map { Int($0) ?? -1 }
    try check(numbers[2] >= 1 && numbers[3] >= 1, "interruptions: \(text)")
    try check(words[4] == "true", "capture times: \(text)")
    try check(abs(numbers[5] - 1_000) <= 1 && numbers[6] < -30, "the tone at the end: \(text)")
    return "turns, frames, interruptions, rising times, Hz, rest in dB: \(words.joined(separator: " "))"
  }

  private static func words(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_000)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  static func unplugged() throws -> String {
    let driver = "/sys/bus/platform/drivers/snd_aloop"
    let player = TonePlayer("plughw:CARD=Loopback,DEV=0,SUBDEV=4")
    let recorder = SoundRecorder("plughw:CARD=Loopback,DEV=1,SUBDEV=4")
    try player.start()
    try recorder.start()
    defer {
      recorder.source.stop()
      player.playout.stop()
    }
    func hearsTone() -> Bool {
      let samples = Array(recorder.samples.suffix(9_600))
      return samples.count == 9_600 && Tone.measure(samples).amplitude > TonePlayer.amplitude * 0.9
    }
    try wait("the tone") { hearsTone() }
    try check(system("echo snd_aloop.0 >\(driver)/unbind") == 0, "the card could not be pulled out")
    try wait("news of it") { if case .disconnected?? = recorder.interruptions.last { true } else { false } }
    let (frames, turns, begin) = (recorder.times.count, player.turns, MonotonicClock.now())
    MonotonicClock.sleep(for: .seconds(2))
    let seconds = (MonotonicClock.now() - begin).seconds
    let rates = (Double(recorder.times.count - frames) / seconds, Double(player.turns - turns) / seconds)
    try check(
      abs(rates.0 - 100) < 15 && abs(rates.1 - 100) < 15, "without the card \(rates) times 10 ms a second")
    try check(recorder.samples.suffix(4_800).allSatisfy { $0 == 0 }, "what came was not silence")
    try check(system("echo snd_aloop.0 >\(driver)/bind") == 0, "the card could not be put back")
    try wait("the tone again") { hearsTone() }
    try check(recorder.interruptions.last.map { $0 == nil } ?? false, "\(recorder.interruptions)")
    return "\(rates.0.rounded()) and \(rates.1.rounded()) times 10 ms a second without the card"
  }

  /// The default of both directions is moved to where a tone is played and recorded.
  static func defaultMoves() throws -> String {
    let player = TonePlayer("hw:Loopback,0,6")
    try player.start()
    let listener = SoundRecorder("hw:Loopback,1,3")
    try listener.start()
    try setDefault(playback: 2, capture: 7)
    defer { unlink(Self.configuration) }
    let (microphone, speaker) = (SoundRecorder("default"), TonePlayer("default"))
    try microphone.start()
    try speaker.start()
    defer {
      for recorder in [microphone, listener] { recorder.source.stop() }
      for player in [player, speaker] { player.playout.stop() }
    }
    try microphone.waitForMore(seconds: 0.5)
    try check(microphone.samples.allSatisfy { $0 == 0 }, "there is sound before the default has moved")
    try check(listener.samples.allSatisfy { $0 == 0 }, "the speaker's tone is where the default is not")
    try setDefault(playback: 3, capture: 6)
    let begin = MonotonicClock.now()
    _ = try waitForTone(microphone, Tone.frequency, "the microphone")
    _ = try waitForTone(listener, Tone.frequency, "the speaker")
    let delay = MonotonicClock.now() - begin
    try check(microphone.interruptions.isEmpty, "\(microphone.interruptions)")
    let restarts = (microphone.source.statistics.restarts, speaker.playout.statistics.restarts)
    try check(restarts.0 >= 1 && restarts.1 >= 1, "restarts: \(restarts)")
    return "both followed within \(delay.milliseconds) ms"
  }

  private static let configuration = "/tmp/.asoundrc"

  private static func setDefault(playback: Int, capture: Int) throws {
    let text =
      "pcm.!default { type asym playback.pcm \"hw:Loopback,0,\(playback)\" capture.pcm \"hw:Loopback,1,\(capture)\" }\n"
    guard let file = fopen(configuration + ".new", "w") else { throw LabFailure("no \(configuration)") }
    fputs(text, file)
    fclose(file)
    rename(configuration + ".new", configuration)
  }

  static func busy() throws -> String {
    let holder = try ChildProcess(
      ["/usr/bin/arecord", "-q", "-D", "hw:Loopback,1,3", "-f", "S16_LE", "-r", "48000", "/dev/null"])
    defer { holder.end() }
    try SoundTool.waitUntilRunning("c", device: 1, substream: 3)
    let recorder = SoundRecorder("hw:Loopback,1,3")
    defer { recorder.source.stop() }
    do throws(MediaDeviceError) {
      try recorder.start()
    } catch {
      guard case .busy(_, let name?) = error else { throw LabFailure("\(error)") }
      try check(name.contains("(\(holder.process))"), "\(error)")
      return "\(error)"
    }
    throw LabFailure("a card in use could be started")
  }
}
