// What encryption between the ends costs for a frame, beside AES-GCM alone on as many bytes.
import BenchmarkSupport
import LinuxIO
import MediaBase
import OpenSSLCrypto
import SFrame
import SecureChannel

var report = BenchmarkReport("EncryptionCost")
let crypto = OpenSSLCrypto.provider

/// Microseconds of processor time for each of `count` runs of `body`, the best of five rounds.
func microseconds(_ count: Int, _ body: (Int) -> Void) -> Double {
  (0..<5).map { round in
    let begin = ProcessStatistics.currentThreadCPUTime()
    for index in 0..<count { body(round * count + index) }
    return (ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1e6 / Double(count)
  }.min() ?? 0
}

/// Sealing or opening as the library does it.
func bare(_ byteCount: Int, seals: Bool, _ count: Int) -> Double? {
  let key = [UInt8](repeating: 7, count: 16)
  guard let sealing = crypto.makeGCM(key, true), let opening = crypto.makeGCM(key, false) else { return nil }
  defer {
    crypto.freeGCM(sealing)
    crypto.freeGCM(opening)
  }
  let (nonce, associated) = ([UInt8](repeating: 1, count: 12), [UInt8](repeating: 2, count: 20))
  let text = [UInt8](repeating: 3, count: byteCount)
  var (sealed, opened) = (text, text)
  var tag = [UInt8](repeating: 0, count: 16)
  guard crypto.sealGCM(sealing, nonce, associated, associated.count, text, byteCount, &sealed, &tag) else { return nil }
  var isGood = true
  let time = microseconds(count) { _ in
    if seals {
      isGood =
        crypto.sealGCM(sealing, nonce, associated, associated.count, text, byteCount, &opened, &tag) && isGood
    } else {
      isGood =
        crypto.openGCM(opening, nonce, associated, associated.count, sealed, byteCount, &opened, &tag) && isGood
    }
  }
  return isGood ? time : nil
}

/// A frame that packets take for VP8 (RFC 6386 section 9.1), or sound.
func frame(_ kind: SFrameMediaKind, _ byteCount: Int) -> [UInt8] {
  let start: [UInt8] = kind == .video ? [0x51, 0x42, 0] : [0x78]
  return start + [UInt8](repeating: 9, count: byteCount - start.count)
}

@MainActor func run(_ name: String, _ kind: SFrameMediaKind, byteCount: Int, count: Int) throws {
  guard
    let secret = SFrameSecret(
      key: [UInt8](repeating: 5, count: 32), salt: [UInt8](repeating: 6, count: 32), suite: .aes128GCMSHA256,
      crypto: crypto)
  else { return report.fail("there is no key") }
  var encryptor = try FrameEncryptor(secret: secret, channel: "show", uid: 1, seed: 1, crypto: crypto)
  var decryptor = FrameDecryptor(channel: "show", uid: 1, crypto: crypto)
  let clear = frame(kind, byteCount)
  var encrypted: [[UInt8]] = []
  encrypted.reserveCapacity(count * 5)
  let sealing = microseconds(count) { _ in
    if let bytes = try? encryptor.encrypt(clear, kind: kind) { encrypted.append(bytes) }
  }
  var opened = 0
  let opening = microseconds(count) { index in
    guard index < encrypted.count else { return }
    if (try? decryptor.decrypt(encrypted[index], kind: kind, secrets: [secret], now: .zero)) == clear { opened += 1 }
  }
  guard opened == count * 5, let bareSealing = bare(byteCount, seals: true, count),
    let bareOpening = bare(byteCount, seals: false, count)
  else { return report.fail("\(name): only \(opened) of \(count * 5) frames were understood") }
  report.add("\(name), encrypted", sealing, "µs")
  report.add("\(name), encrypted, over AES-GCM alone", sealing / bareSealing, "")
  report.add("\(name), decrypted", opening, "µs")
  report.add("\(name), decrypted, over AES-GCM alone", opening / bareOpening, "")
}

try run("a packet of sound of 120 bytes", .audio, byteCount: 120, count: 20_000)
try run("a picture of 3,300 bytes", .video, byteCount: 3_300, count: 10_000)
try run("a key frame of 60,000 bytes", .video, byteCount: 60_000, count: 1_000)
report.finish()
