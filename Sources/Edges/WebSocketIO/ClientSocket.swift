import Glibc
import OpenSSLTLS

/// The server's end of a TCP connection that does not block, with or without TLS.
final class ClientSocket {
  /// What has become of reading or writing.
  enum Outcome {
    case bytes(Int)
    /// Nothing for now.
    case wouldBlock
    /// The other side has ended the connection, or it has failed.
    case ended
  }

  /// -1 once closed or given away.
  private(set) var fileDescriptor: Int32
  private var session: TLSSession?
  /// Whether TLS has to write before it can read on, or to read before it can write on, as in a handshake.
  private var readingNeedsWriting = false
  private var writingNeedsReading = false

  /// Takes over a descriptor; `session` speaks over it.
  init(fileDescriptor: Int32, session: TLSSession?) {
    self.fileDescriptor = fileDescriptor
    self.session = session
  }

  deinit { close() }

  /// Whether to wait for the socket to be writable, for someone who has something to write or not.
  func waitsForWriting(hasUnsent: Bool) -> Bool { readingNeedsWriting || hasUnsent && !writingNeedsReading }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    guard fileDescriptor >= 0 else { return .ended }
    if let session {
      let outcome = session.read(into: buffer)
      readingNeedsWriting = outcome == .needsWriting
      return Self.outcome(outcome)
    }
    let count = recv(fileDescriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    return count == 0 ? .ended : Self.outcome(count)
  }

  /// After `wouldBlock` the same bytes have to be given again, with others behind them or not.
  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard fileDescriptor >= 0 else { return .ended }
    guard !bytes.isEmpty else { return .bytes(0) }
    if let session {
      let outcome = session.write(bytes)
      writingNeedsReading = outcome == .needsReading
      return Self.outcome(outcome)
    }
    return Self.outcome(send(fileDescriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)))
  }

  /// Tells the other side that nothing follows; what it still sends can be read.
  func endWriting() {
    session?.close()
    if fileDescriptor >= 0 { shutdown(fileDescriptor, Int32(SHUT_WR)) }
  }

  /// Ends the connection. Idempotent. The event loop has to be told before.
  func close() {
    guard fileDescriptor >= 0 else { return }
    session?.close()
    session?.abandon()
    Glibc.close(fileDescriptor)
    fileDescriptor = -1
  }

  /// Gives descriptor and session away.
  func release() -> (fileDescriptor: Int32, session: TLSSession?) {
    defer { (fileDescriptor, session) = (-1, nil) }
    return (fileDescriptor, session)
  }

  private static func outcome(_ outcome: TLSSession.Outcome) -> Outcome {
    switch outcome {
    case .bytes(let count): .bytes(count)
    case .needsReading, .needsWriting: .wouldBlock
    case .ended, .failed: .ended
    }
  }

  private static func outcome(_ count: Int) -> Outcome {
    if count >= 0 { return .bytes(count) }
    return errno == EAGAIN || errno == EINTR ? .wouldBlock : .ended
  }
}
