import Glibc

/// A TCP connection on which a test may say anything.
final class RawConnection {
  let descriptor: Int32

  init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isConnected { return nil }
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
  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

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
