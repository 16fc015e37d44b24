import ALSAAudio
import Glibc
import LinuxIO
import MediaBase

/// Sound cards whose clocks are off, all at once, for a minute: what they record comes by the system's clock, and what is
/// played goes at it.
enum DriftCase {
  /// How fast the loop's clock is, by substream.
  private static let recorded = [0: 0.99, 1: 1.001]
  private static let played = [2: 1.01, 3: 0.999]
  private static let format = SoundTool.Format(name: "S16_LE", rate: 48_000, channelCount: 1)

  static func run() throws -> String {
    var tools: [ChildProcess] = []
    var (recorders, players): ([Int: SoundRecorder], [Int: TonePlayer]) = ([:], [:])
    defer {
      for recorder in recorders.values { recorder.source.stop() }
      for player in players.values { player.playout.stop() }
      for tool in tools { tool.end() }
    }
    for (substream, shift) in recorded {
      try setClock(shift, substream)
      tools.append(try SoundTool.play(format, substream: substream))
      try SoundTool.waitUntilRunning("p", device: 0, substream: substream)
      let recorder = SoundRecorder("hw:Loopback,1,\(substream)")
      try recorder.start()
      recorders[substream] = recorder
    }
    for (substream, shift) in played {
      try setClock(shift, substream)
      tools.append(try SoundTool.record(format, substream: substream, seconds: 600).process)
      try SoundTool.waitUntilRunning("c", device: 1, substream: substream)
      let player = TonePlayer("hw:Loopback,0,\(substream)")
      try player.start()
      players[substream] = player
    }
    for (substream, recorder) in recorders {
      try waitForClock(recorded[substream] ?? 1) { recorder.source.statistics.clockRatio }
    }
    for (substream, player) in players {
      try waitForClock(played[substream] ?? 1) { player.playout.statistics.clockRatio }
    }
    // How often a substream has been interrupted, and how late its sound is.
    func condition() -> [Int: (interruptions: Int, delay: MediaDuration)] {
      recorders.mapValues { ($0.source.statistics.interruptions, $0.latestDelay) }
        .merging(players.mapValues { ($0.playout.statistics.interruptions, $0.playout.delay) }) { $1 }
    }
    let before = condition()
    for recorder in recorders.values { _ = recorder.take() }
    MonotonicClock.sleep(for: .seconds(60))
    let after = condition()
    // All at once: looking through a minute of sound takes the guest a while, in which more is recorded.
    let heard = recorders.mapValues { $0.takeTimed() }
    for (substream, (interruptions, delay)) in after {
      guard let earlier = before[substream] else { continue }
      try check(
        interruptions == earlier.interruptions,
        "substream \(substream) was interrupted \(interruptions - earlier.interruptions) times")
      let grown = (delay - earlier.delay).milliseconds
      try check(grown <= 20, "substream \(substream): the delay has grown by \(grown) ms")
    }
    var words: [String] = []
    for (substream, (samples, times)) in heard {
      let shift = recorded[substream] ?? 1
      try checkClock(samples, times, "\(shift), recorded")
      // A card that is 1 % fast gives a tone, as a tool plays it there, that is 1 % high.
      words.append("recorded \(try checkTone(samples, Tone.frequency / shift, "\(shift), recorded"))")
    }
    for (substream, shift) in played {
      // And it takes 1 % more samples of what is played.
      let samples = SoundTool.read("/tmp/recorded-\(substream).raw", format).suffix(60 * 48_000)
      words.append("played \(try checkTone(Array(samples), Tone.frequency * shift, "\(shift), played"))")
    }
    return words.joined(separator: ", ")
  }

  /// The loop's clock is that of its recording side.
  private static func setClock(_ ratio: Double, _ substream: Int) throws {
    let control = "iface=PCM,name='PCM Rate Shift 100000',device=1,subdevice=\(substream)"
    let status = system("amixer -q -c Loopback cset \"\(control)\" \(Int((100_000 * ratio).rounded()))")
    try check(status == 0, "the clock could not be shifted: \(status)")
  }

  private static func waitForClock(_ shift: Double, _ found: () -> Double) throws {
    try wait("\(shift): the clock is taken for \(found())", seconds: 60) { abs(found() - 1 / shift) < 0.000_8 }
  }

  /// As many samples as the system's clock says, by the times that they bear, which are the card's own: whoever takes them
  /// may be late. Within 20 ms in a minute; a card whose clock were believed would be 60 ms off or more.
  private static func checkClock(_ samples: [Int16], _ times: [MediaInstant], _ what: String) throws {
    guard let first = times.first, let last = times.last else { throw LabFailure("\(what): nothing was recorded") }
    let seconds = (last - first).seconds + 0.01
    let measured = Double(samples.count) / 48_000
    try check(seconds > 59 && seconds < 65, "\(what): sound of \(seconds) s")
    try check(abs(measured - seconds) < 0.02, "\(what): \(samples.count) samples in \(seconds) s")
  }

  /// A tone without a click: every sample follows from the two before it. Returns its pitch.
  private static func checkTone(_ samples: [Int16], _ frequency: Double, _ what: String) throws -> String {
    // The clock is known to some parts in 100,000: the pitch may wander by as much.
    let tone = Tone.measure(Array(samples.suffix(12_000)), near: frequency)
    try check(abs(tone.frequency - frequency) < 1 && tone.rest < -30, "\(what): \(tone)")
    let factor = 2 * cos(2 * .pi * tone.frequency / 48_000)
    var (worst, place) = (0.0, 0)
    for index in samples.indices.dropFirst(2) {
      let error = abs(Double(samples[index]) + Double(samples[index - 2]) - factor * Double(samples[index - 1]))
      if error > worst { (worst, place) = (error, index) }
    }
    try check(worst < 120, "\(what): a click of \(worst) at \(place) of \(samples.count), \(tone.frequency) Hz")
    return "\(Int(tone.frequency.rounded())) Hz"
  }
}
