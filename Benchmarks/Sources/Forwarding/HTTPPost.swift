import Foundation
import Glibc

/// One request to a server on this machine, by a connection of its own.
enum HTTPPost {
  struct Failure: Error, CustomStringConvertible { var description: String }

  /// Sends `body` and returns the answer's body; throws for any status but 201.
  static func send(_ body: String, to path: String, port: UInt16) throws -> String {
    let answer = try exchange(
      "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/sdp\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body, port: port)
    guard let end = answer.range(of: "\r\n\r\n"), answer.hasPrefix("HTTP/1.1 201") else {
      throw Failure(description: "\(path): \(answer.prefix(300))")
    }
    return String(answer[end.upperBound...])
  }

  /// The whole answer to a GET.
  static func get(_ path: String, port: UInt16) throws -> String {
    try exchange("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n", port: port)
  }

  private static func exchange(_ request: String, port: UInt16) throws -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "no socket") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(description: "nobody listens on port \(port)") }
    let bytes = Array(request.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(description: "not sent") }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
