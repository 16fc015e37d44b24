import Glibc

/// A WebSocket to a server on loopback, as small as it can be: what is measured is the server.
final class LoadClient {
  let descriptor: Int32
  /// What has come and is not a whole frame yet.
  private var received: [UInt8] = []

  /// Connects and becomes a WebSocket; `nil` if the server does not agree.
  init?(port: UInt16, path: String) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return nil }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let request =
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    guard Glibc.write(descriptor, request, request.utf8.count) == request.utf8.count else { return nil }
    while true {
      guard read() > 0 else { return nil }
      let text = String(decoding: received, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      guard text.hasPrefix("HTTP/1.1 101") else { return nil }
      received.removeFirst(text[..<end.upperBound].utf8.count)
      return
    }
  }

  deinit { close(descriptor) }

  @discardableResult
  func read() -> Int {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 { received += chunk.prefix(count) }
    return count
  }

  /// A text as one masked frame (RFC 6455 section 5.2); a mask of zeros leaves it as it is.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    let length: [UInt8] =
      bytes.count < 126
      ? [0x80 | UInt8(bytes.count)]
      : [0xFE, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
    write([0x81] + length + [0, 0, 0, 0] + bytes)
  }

  private func write(_ frame: [UInt8]) { _ = Glibc.send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL)) }

  /// Takes the next whole text; pings on the way are answered.
  func nextText() -> String? {
    while received.count >= 2 {
      var (start, count) = (2, Int(received[1] & 127))
      if count == 126 {
        guard received.count >= 4 else { return nil }
        (start, count) = (4, Int(received[2]) << 8 | Int(received[3]))
      }
      guard received.count >= start + count else { return nil }
      let payload = Array(received[start..<start + count])
      let opcode = received[0] & 15
      received.removeFirst(start + count)
      if opcode == 1 { return String(decoding: payload, as: UTF8.self) }
      if opcode == 9 { write([0x8A, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload) }
    }
    return nil
  }
}
