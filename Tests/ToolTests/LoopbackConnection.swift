import Foundation
import TestSupport

/// A TCP connection that says nothing by itself.
final class LoopbackConnection {
  private var descriptor: Int32

  init(port: UInt16) { descriptor = LoopbackTCP.connect(port: port) }

  deinit { end() }

  /// Asks for a page, and waits for its content.
  func get(_ path: String) -> String {
    let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    guard LoopbackTCP.send(Array(request.utf8), on: descriptor) else { return "" }
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
