import Glibc
import TestSupport

/// A TCP connection on which a test may say anything.
final class RawConnection {
  let descriptor: Int32

  init?(port: UInt16) {
    descriptor = LoopbackTCP.connect(port: port)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// A WebSocket.
  convenience init?(port: UInt16, webSocket path: String) {
    self.init(port: port)
    send("GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
    send("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    guard received().hasPrefix("HTTP/1.1 101") else { return nil }
  }

  /// Whether all could be sent.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool { LoopbackTCP.send(bytes, on: descriptor) }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// One frame of a WebSocket; `opcode` with the bit of the last fragment.
  @discardableResult func sendFrame(_ opcode: UInt8, _ byteCount: UInt16) -> Bool {
    let size: [UInt8] =
      byteCount < 126
      ? [0x80 | UInt8(byteCount)] : [0x80 | 126, UInt8(byteCount >> 8), UInt8(truncatingIfNeeded: byteCount)]
    return send([opcode] + size + [0, 0, 0, 0] + [UInt8](repeating: 0x61, count: Int(byteCount)))
  }

  /// What comes next; empty if the connection has ended, or nothing comes for ten seconds.
  func received() -> String {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  /// Whether a text comes, before or behind other things; patient, for a busy machine.
  func eventuallyReceives(_ text: String) -> Bool {
    var all = ""
    for _ in 0..<12 {
      all += received()
      if all.contains(text) { return true }
    }
    return false
  }

  /// Everything until the other side ends the connection.
  func receivedToEnd() -> String {
    var text = ""
    while case let more = received(), !more.isEmpty { text += more }
    return text
  }

  /// Whether the other side has ended the connection, within ten seconds.
  var hasEnded: Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN) { return true }
      if count < 0 { return false }
    }
  }
}
