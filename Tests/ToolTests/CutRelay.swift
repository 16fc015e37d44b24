import Foundation
import Synchronization

/// One client's way to a server on loopback, for control (TCP) and media (UDP), which can be cut: then nothing passes, and
/// nobody is told, as when a cable is pulled.
///
/// The server advertises 127.0.0.2 for its media, where nobody listens; each relay has an address of its own, at the server's
/// port, and writes it in the answers to its client.
final class CutRelay: Sendable {
  private let control: Int32
  private let media: Int32
  private let address: String
  private let serverPorts: (http: UInt16, udp: UInt16)
  private let isCut = Mutex(false)
  private let hasEnded = Mutex(false)

  /// - Parameter number: 3 to 9: the last number of the relay's address.
  init(_ number: Int, http: UInt16, udp: UInt16) throws {
    address = "127.0.0.\(number)"
    serverPorts = (http, udp)
    control = Self.bound(SOCK_STREAM, "127.0.0.1", 0)
    media = Self.bound(SOCK_DGRAM, address, udp)
    guard control >= 0, media >= 0, listen(control, 16) == 0 else { throw CocoaError(.fileReadUnknown) }
    Thread.detachNewThread { [self] in takeConnections() }
    Thread.detachNewThread { [self] in takeDatagrams() }
  }

  deinit { end() }

  var url: String { "ws://127.0.0.1:\(Self.port(of: control))" }

  func cut() { isCut.withLock { $0 = true } }
  func mend() { isCut.withLock { $0 = false } }

  func end() {
    let isFirst = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    guard isFirst else { return }
    shutdown(control, Int32(SHUT_RDWR))
    shutdown(media, Int32(SHUT_RDWR))
  }

  private var isOpen: Bool { !isCut.withLock { $0 } }
  private var isOver: Bool { hasEnded.withLock { $0 } }

  // MARK: Control

  private func takeConnections() {
    while case let client = accept(control, nil, nil), client >= 0 {
      let server = Self.connected(SOCK_STREAM, "127.0.0.1", serverPorts.http)
      guard server >= 0 else {
        close(client)
        continue
      }
      Thread.detachNewThread { [self] in carry(client, server) }
    }
    close(control)
  }

  /// Bytes wait while it is cut; then they go on, as TCP's do.
  private func carry(_ client: Int32, _ server: Int32) {
    var descriptors = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    defer {
      close(client)
      close(server)
    }
    while !isOver {
      guard isOpen else {
        usleep(5_000)
        continue
      }
      guard poll(&descriptors, 2, 50) >= 0 else { return }
      for index in 0..<2 where descriptors[index].revents != 0 {
        let count = recv(descriptors[index].fd, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        var bytes = Array(buffer[..<count])
        if index == 0 {
          // Compressed answers could not be changed.
          bytes.replace("Sec-WebSocket-Extensions".utf8, with: "Not-WebSocket-Extensions".utf8)
        } else {
          bytes.replace("127.0.0.2".utf8, with: address.utf8)
        }
        guard send(descriptors[1 - index].fd, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
      }
    }
  }

  // MARK: Media

  private func takeDatagrams() {
    var backs: [[UInt8]: Int32] = [:]
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !isOver {
      var storage = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(media, &buffer, buffer.count, 0, $0, &length)
        }
      }
      guard count > 0 else { continue }
      let client = storage
      let key = withUnsafeBytes(of: client) { Array($0) }
      if backs[key] == nil {
        let back = Self.connected(SOCK_DGRAM, "127.0.0.1", serverPorts.udp)
        backs[key] = back
        Thread.detachNewThread { [self] in answer(client, from: back) }
      }
      if isOpen, let back = backs[key] { send(back, buffer, count, 0) }
    }
    for back in backs.values { shutdown(back, Int32(SHUT_RDWR)) }
    close(media)
  }

  private func answer(_ client: sockaddr_in, from back: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var client = client
    while !isOver {
      let count = recv(back, &buffer, buffer.count, 0)
      guard count > 0 else {
        // Also when the server has refused one: it may be there again.
        if count == 0 { break }
        usleep(10_000)
        continue
      }
      guard isOpen else { continue }
      withUnsafeMutablePointer(to: &client) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = sendto(media, buffer, count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    close(back)
  }

  // MARK: Sockets

  private static func address(_ host: String, _ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return address
  }

  private static func open(
    _ type: __socket_type, _ host: String, _ port: UInt16, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    let descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = address(host, port)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code != 0 else { return descriptor }
    close(descriptor)
    return -1
  }

  private static func bound(_ type: __socket_type, _ host: String, _ port: UInt16) -> Int32 {
    open(type, host, port) { bind($0, $1, $2) }
  }

  private static func connected(_ type: __socket_type, _ host: String, _ port: UInt16) -> Int32 {
    open(type, host, port) { connect($0, $1, $2) }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}

extension [UInt8] {
  /// Puts a text in the place of another of the same length, wherever it is.
  fileprivate mutating func replace(_ old: String.UTF8View, with new: String.UTF8View) {
    let (old, new) = ([UInt8](old), [UInt8](new))
    guard count >= old.count, old.count == new.count else { return }
    for start in 0...(count - old.count)
    where self[start] == old[0] && self[start..<start + old.count].elementsEqual(old) {
      replaceSubrange(start..<start + old.count, with: new)
    }
  }
}
