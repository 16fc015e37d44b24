import Foundation

/// A TCP connection that says nothing by itself.
final class LoopbackConnection {
  private var descriptor: Int32

  init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { end() }

  /// Asks for a page, and waits for its content.
  func get(_ path: String) -> String {
    let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    guard write(descriptor, request, request.utf8.count) == request.utf8.count else { return "" }
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk.prefix(count) }
    let answer = String(decoding: bytes, as: UTF8.self)
    return answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
  }

  func end() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}
