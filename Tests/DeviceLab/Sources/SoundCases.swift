import ALSAAudio
import Glibc
import LinuxIO
import MediaBase

/// Cases of the sound card: what is played on its first device is recorded from the same substream of its second.
enum SoundCases {
  /// Within 0.1 % and 0.3 dB, and all else 40 dB weaker.
  private static func checkTone(_ samples: [Int16], _ what: String) throws {
    try check(samples.count >= 12_000, "\(what): only \(samples.count) samples")
    let tone = Tone.measure(samples)
    let level = 20 * log10(tone.amplitude / TonePlayer.amplitude)
    try check(abs(tone.frequency - Tone.frequency) < 1, "\(what): \(tone.frequency) Hz")
    try check(abs(level) < 0.3, "\(what): \(level) dB")
    try check(tone.rest < -40, "\(what): the rest is at \(tone.rest) dB")
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

  static func recordedFormats() throws -> String {
    for (index, format) in formats.enumerated() {
      let substream = index % 4
      let tool = try SoundTool.play(format, substream: substream, seconds: 3)
      defer { tool.end() }
      // The loop has its format once the player has opened it.
      MonotonicClock.sleep(for: .milliseconds(300))
      let recorder = SoundRecorder("hw:Loopback,1,\(substream)", channelCount: 1)
      try recorder.start()
      try recorder.waitForMore(seconds: 1)
      let statistics = recorder.source.statistics
      recorder.source.stop()
      try check(
        statistics.rate == format.rate && statistics.channelCount == format.channelCount,
        "\(format) became \(statistics)")
      let samples = Array(recorder.samples.dropFirst(19_200).prefix(24_000))
      try checkTone(samples, "\(format)")
      if format.rate == 48_000 && statistics.interruptions == 0 {
        try check(isExact(samples), "\(format): the samples are not those that were played")
      }
    }
    return "\(formats.count) formats"
  }

  static func playedFormats() throws -> String {
    for (index, format) in formats.enumerated() {
      let substream = index % 4
      let tool = try SoundTool.record(format, substream: substream, seconds: 2)
      defer { tool.process.end() }
      MonotonicClock.sleep(for: .milliseconds(300))
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
    }
    return "\(formats.count) formats"
  }

  static func drift(_ ratio: Double, substream: Int) throws -> String {
    let shift = Int((100_000 * ratio).rounded())
    let control = "iface=PCM,name='PCM Rate Shift 100000',device=1,subdevice=\(substream)"
    let status = system("amixer -q -c Loopback cset \"\(control)\" \(shift)")
    try check(status == 0, "the clock could not be shifted: \(status)")
    let player = TonePlayer("hw:Loopback,0,\(substream)")
    let recorder = SoundRecorder("hw:Loopback,1,\(substream)")
    try player.start()
    try recorder.start()
    defer {
      recorder.source.stop()
      player.playout.stop()
    }
    try wait("the clocks to be known", seconds: 60) {
      abs(recorder.source.statistics.clockRatio - 1 / ratio) < 0.001
        || abs(recorder.source.statistics.clockRatio - ratio) < 0.001
    }
    // Then they are known better and better.
    MonotonicClock.sleep(for: .seconds(6))
    _ = recorder.take()
    let (turns, frames, begin) = (player.turns, recorder.times.count, MonotonicClock.now())
    let delay = player.playout.delay
    var windows: [Tone.Measurement] = []
    for _ in 0..<10 {
      MonotonicClock.sleep(for: .seconds(1))
      let samples = recorder.take()
      for start in stride(from: 0, to: samples.count - 4_800, by: 4_800) {
        windows.append(Tone.measure(Array(samples[start..<(start + 4_800)])))
      }
    }
    let seconds = (MonotonicClock.now() - begin).seconds
    let rates = (Double(player.turns - turns) / seconds, Double(recorder.times.count - frames) / seconds)
    let (played, recorded) = (player.playout.statistics, recorder.source.statistics)
    let growth = player.playout.delay - delay
    let clean = windows.filter { $0.rest < -30 && abs($0.frequency - Tone.frequency) < 2 }
    let report =
      "clock found \(recorded.clockRatio), played \(rates.0) and recorded \(rates.1) times 10 ms a second, "
      + "\(clean.count) of \(windows.count) pieces clean, \(played.interruptions) and \(recorded.interruptions) "
      + "interruptions, delay \(player.playout.delay.milliseconds) ms (\(growth.milliseconds) more)"
    try check(abs(rates.0 - 100) < 0.5 && abs(rates.1 - 100) < 0.5, report)
    try check(abs(growth.milliseconds) < 20, report)
    // A guest that is kept waiting runs dry now and then; every such time spoils what is around it.
    let spoiled = 4 * (played.interruptions + recorded.interruptions)
    try check(windows.count >= 60 && clean.count + spoiled + 2 >= windows.count, report)
    return report
  }

  static func stopped() throws -> String {
    let output = "/tmp/loop-sound"
    let helper = try ChildProcess([HelperProcess.path(), "--loop-sound", "5"], output: output)
    MonotonicClock.sleep(for: .seconds(2))
    helper.send(SIGSTOP)
    MonotonicClock.sleep(for: .milliseconds(700))
    helper.send(SIGCONT)
    MonotonicClock.sleep(for: .seconds(2))
    helper.send(SIGTERM)
    let status = helper.status
    var bytes = [UInt8](repeating: 0, count: 1_000)
    guard let file = fopen(output, "r") else { throw LabFailure("no output") }
    let count = fread(&bytes, 1, bytes.count, file)
    fclose(file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    try check(status == 0 && words.count == 7, "\(status): \(text)")
    let numbers = words.map { Int($0) ?? -1 }
    try check(numbers[0] > 250 && numbers[1] > 250, "turns and frames: \(text)")
    try check(numbers[2] >= 1 && numbers[3] >= 1, "interruptions: \(text)")
    try check(words[4] == "true", "capture times: \(text)")
    try check(abs(numbers[5] - 1_000) <= 1 && numbers[6] < -30, "the tone at the end: \(text)")
    return "turns, frames, interruptions, rising times, Hz, rest in dB: \(words.joined(separator: " "))"
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

  static func busy() throws -> String {
    let holder = try ChildProcess(
      ["/usr/bin/arecord", "-q", "-D", "hw:Loopback,1,3", "-f", "S16_LE", "-r", "48000", "/dev/null"])
    defer { holder.end() }
    try wait("the other process") {
      do throws(MediaDeviceError) {
        let recorder = SoundRecorder("hw:Loopback,1,3")
        try recorder.start()
        recorder.source.stop()
        return false
      } catch {
        return true
      }
    }
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
