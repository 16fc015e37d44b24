import COpenSSL
import MediaBase

/// What OpenSSL reads from and writes to: one datagram in, a list of datagrams out. OpenSSL's own memory BIOs would run
/// datagrams together.
final class DatagramBIO {
  /// More than any flight of a handshake has; a peer that asks again and again gets no more.
  private static let maximumOutgoing = 64

  fileprivate(set) var outgoing: [[UInt8]] = []
  fileprivate var incoming: UnsafeRawBufferPointer?
  /// Which addresses have shown that they get what is sent there.
  var cookies = CookieExchange()

  /// Runs `body` while `datagram` may be read, once.
  func withIncoming(_ datagram: UnsafeRawBufferPointer, from unproved: TransportAddress?, _ body: () -> Void) {
    incoming = datagram
    cookies.unproved = unproved
    body()
    incoming = nil
    cookies.unproved = nil
  }

  func append(_ datagram: [UInt8]) { if outgoing.count < Self.maximumOutgoing { outgoing.append(datagram) } }

  func takeOutgoing() -> [UInt8]? { outgoing.isEmpty ? nil : outgoing.removeFirst() }

  /// A BIO of OpenSSL that comes back to this object, which must outlive it.
  func makeBIO() -> OpaquePointer? {
    guard let method = Self.method.pointer, let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  static func of(_ bio: OpaquePointer?) -> DatagramBIO? {
    bio.flatMap { BIO_get_data($0) }.map { Unmanaged<DatagramBIO>.fromOpaque($0).takeUnretainedValue() }
  }

  /// OpenSSL's table of functions; one for the process.
  private struct Method: @unchecked Sendable { let pointer: OpaquePointer? }

  private static let method: Method = {
    let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "datagrams")
    BIO_meth_set_write(method) { bio, bytes, count in
      guard let sink = DatagramBIO.of(bio), let bytes, count > 0 else { return -1 }
      if sink.outgoing.count < maximumOutgoing {
        sink.outgoing.append(Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
      }
      return count
    }
    BIO_meth_set_read(method) { bio, bytes, count in
      BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
      guard let source = DatagramBIO.of(bio), let bytes, count > 0, let datagram = source.incoming else {
        BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return -1
      }
      source.incoming = nil
      let length = min(Int(count), datagram.count)
      if let base = datagram.baseAddress { UnsafeMutableRawPointer(bytes).copyMemory(from: base, byteCount: length) }
      return Int32(length)
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in
      // Flushing always succeeds; nothing else is offered (no timeouts, no MTU of the path).
      command == BIO_CTRL_FLUSH ? 1 : 0
    }
    return Method(pointer: method)
  }()
}
