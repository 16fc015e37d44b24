import Glibc

/// ALSA's own player and recorder at the other end of the loop.
enum SoundTool {
  struct Format {
    var name: String
    var rate: Int
    var channelCount: Int
  }

  /// Plays a tone without end on a substream of the card's first device; the loop gets this format.
  static func play(_ format: Format, substream: Int) throws -> ChildProcess {
    let path = "/tmp/tone-\(substream).raw"
    var bytes: [UInt8] = []
    // A second has a whole number of periods at every rate.
    for index in 0..<format.rate {
      let value = Tone.sample(index, rate: format.rate, amplitude: TonePlayer.amplitude)
      for _ in 0..<format.channelCount { append(value, format.name, to: &bytes) }
    }
    let file = fopen(path, "w")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    let player = "aplay -q -D hw:Loopback,0,\(substream) \(words(format).joined(separator: " ")) -"
    return try ChildProcess(["/bin/sh", "-c", "while cat \(path); do :; done 2>/dev/null | \(player)"])
  }

  /// Records from a substream of the card's second device into a file; the loop gets this format.
  static func record(_ format: Format, substream: Int, seconds: Int) throws -> (process: ChildProcess, path: String) {
    let path = "/tmp/recorded-\(substream).raw"
    let process = try ChildProcess(
      ["/usr/bin/arecord", "-q", "-D", "hw:Loopback,1,\(substream)", "-d", "\(seconds)"] + words(format) + [path])
    return (process, path)
  }

  /// Waits until the other program's stream runs: then the loop has its format.
  static func waitUntilRunning(_ direction: String, device: Int, substream: Int) throws {
    let path = "/proc/asound/Loopback/pcm\(device)\(direction)/sub\(substream)/status"
    try wait("\(path) to say that it runs") {
      guard let file = fopen(path, "r") else { return false }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 200)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes.prefix(count), as: UTF8.self).contains("RUNNING")
    }
  }

  /// The first channel of a recorded file, as 16-bit samples.
  static func read(_ path: String, _ format: Format) -> [Int16] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    let size = format.name.hasPrefix("S16") ? 2 : 4
    let step = size * format.channelCount
    return bytes.withUnsafeBytes { memory in
      (0..<(count / step)).map { frame in
        switch format.name {
        case "S16_LE": return memory.loadUnaligned(fromByteOffset: frame * step, as: Int16.self)
        case "S16_BE": return Int16(bigEndian: memory.loadUnaligned(fromByteOffset: frame * step, as: Int16.self))
        case "S32_LE":
          return Int16(truncatingIfNeeded: memory.loadUnaligned(fromByteOffset: frame * step, as: Int32.self) >> 16)
        default: return Int16(memory.loadUnaligned(fromByteOffset: frame * step, as: Float.self) * 32_767)
        }
      }
    }
  }

  private static func words(_ format: Format) -> [String] {
    ["-t", "raw", "-f", format.name, "-r", "\(format.rate)", "-c", "\(format.channelCount)"]
  }

  private static func append(_ value: Double, _ format: String, to bytes: inout [UInt8]) {
    switch format {
    case "S16_LE": withUnsafeBytes(of: Int16(value.rounded())) { bytes += $0 }
    case "S16_BE": withUnsafeBytes(of: Int16(value.rounded()).bigEndian) { bytes += $0 }
    case "S32_LE": withUnsafeBytes(of: Int32(value * 65_536)) { bytes += $0 }
    default: withUnsafeBytes(of: Float(value / 32_768)) { bytes += $0 }
    }
  }
}
