import LinuxIO
import MediaBase
import WebSocketWire

// On the server's thread only.
extension WebSocketServerConnection {
  /// How long a client may take to agree to the end, and to take what was sent before.
  private static let closeTimeout = MediaDuration.milliseconds(2_000)
  /// More than this of what has been sent is given back to the system at once.
  private static let keptByteCount = 4_096

  /// Begins to listen to the client: sends the answer to its request, and takes what came behind that.
  func begin(_ handlers: Handlers, answer: [UInt8], rest: ArraySlice<UInt8>) {
    guard let core, state != .ended else { return }
    self.handlers = handlers
    let early = unsent
    unsent = answer + early
    if state == .opening { state = .open }
    guard core.loop.events.add(fileDescriptor: socket.fileDescriptor, { [self] in socketIsReady() }) else {
      return end()
    }
    flush()
    guard !rest.isEmpty else { return }
    var bytes = Array(rest)
    bytes.withUnsafeMutableBytes { receive($0, now: hearTime) }
    settle()
  }

  private func socketIsReady() {
    if unsentOffset < unsent.count { flush() }
    read()
    settle()
  }

  private func read() {
    guard let core, state != .ended, state != .failing else { return }
    let buffer = core.readBuffer
    switch socket.read(into: buffer) {
    case .wouldBlock: return
    case .ended: end()
    case .bytes(let count):
      hearTime = MonotonicClock.now()
      receive(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), now: hearTime)
    }
  }

  private func receive(_ bytes: UnsafeMutableRawBufferPointer, now: MediaInstant) {
    if state != .open {
      unwantedByteCount -= bytes.count
      guard unwantedByteCount >= 0 else { return stopReading() }
    }
    guard !receiver.hasEnded else { return }
    do throws(WebSocketViolation) {
      try receiver.receive(bytes, now: now) { take($0) }
    } catch {
      closeNow(error.closeCode, error.description)
    }
    partialByteCount = receiver.waitingByteCount
  }

  private func take(_ event: WebSocketReceiver.Event) {
    switch event {
    case .text(let text): if state == .open { handlers?.onText(text) }
    case .ping(let payload): if state == .open { write { WebSocketFrame.append(.pong, payload, to: &$0) } }
    case .pong: break
    case .close(let code, _):
      if state == .open { write { WebSocketFrame.appendClose(code, to: &$0) } }
      if state != .failing { state = .finishing }
      endTime = endTime ?? hearTime + Self.closeTimeout
    }
  }

  func sendNow(_ text: String) {
    guard state == .open || state == .opening else { return }
    write { WebSocketFrame.appendText(text, to: &$0) }
    if unsent.count - unsentOffset > limits.unsentByteCount { endSoon() }
  }

  func closeNow(_ code: WebSocketCloseCode, _ reason: String) {
    guard state == .open || state == .opening else { return }
    write { WebSocketFrame.appendClose(code, reason: reason, to: &$0) }
    if state != .failing { state = .closing }
    endTime = MonotonicClock.now() + Self.closeTimeout
    unwantedByteCount = HTTPLimits.lingerByteCount
  }

  /// The client sends on though it has been told to close: it waits for the end, and costs nothing until then. A new connection
  /// at once would cost more.
  private func stopReading() {
    guard !hasStoppedReading else { return }
    hasStoppedReading = true
    core?.loop.events.remove(fileDescriptor: socket.fileDescriptor)
  }

  /// Writes what `body` puts into a buffer; what the system does not take waits.
  private func write(_ body: (inout [UInt8]) -> Void) {
    guard state != .failing else { return }
    guard state == .open, unsentOffset == unsent.count, let core else {
      body(&unsent)
      return noteWaiting()
    }
    core.writeBuffer.removeAll(keepingCapacity: true)
    body(&core.writeBuffer)
    let count = core.writeBuffer.withUnsafeBytes { written(of: $0) }
    guard count < core.writeBuffer.count else { return }
    unsent = Array(core.writeBuffer[count...])
    unsentOffset = 0
    settleWatching()
  }

  /// How many bytes the system takes; all, if the connection has failed.
  private func written(of bytes: UnsafeRawBufferPointer) -> Int {
    switch socket.write(bytes) {
    case .bytes(let count): return count
    case .wouldBlock: return 0
    case .ended:
      endSoon()
      return bytes.count
    }
  }

  func flush() {
    while unsentOffset < unsent.count {
      let count = unsent.withUnsafeBytes { written(of: UnsafeRawBufferPointer(rebasing: $0[unsentOffset...])) }
      guard count > 0 else { break }
      unsentOffset += count
    }
    if unsentOffset == unsent.count {
      if unsent.capacity > Self.keptByteCount { unsent = [] } else { unsent.removeAll(keepingCapacity: true) }
      unsentOffset = 0
    } else if unsentOffset > limits.unsentByteCount / 2 {
      unsent.removeFirst(unsentOffset)
      unsentOffset = 0
    }
    settleWatching()
  }

  /// Ends what has been said to end and has been sent.
  private func settle() {
    if unsentOffset == unsent.count {
      if state == .finishing { return end() }
      // Nothing that the client says is understood any more: it has only to see the end.
      if state == .closing, receiver.hasEnded, !hasEndedWriting {
        hasEndedWriting = true
        socket.endWriting()
      }
    }
    settleWatching()
  }

  /// Has it known how much memory this connection takes.
  private func noteWaiting() {
    let byteCount = unsent.count - unsentOffset + partialByteCount
    guard byteCount != notedByteCount, state != .failing, state != .ended else { return }
    notedByteCount = byteCount
    core?.note(byteCount, on: id)
  }

  private func settleWatching() {
    noteWaiting()
    guard socket.fileDescriptor >= 0, !hasStoppedReading, let core else { return }
    let wanted = socket.waitsForWriting(hasUnsent: unsentOffset < unsent.count)
    guard wanted != isWatchingWriting else { return }
    isWatchingWriting = wanted
    core.loop.events.watchWriting(fileDescriptor: socket.fileDescriptor, wanted)
  }

  /// Pings, and cuts off who is not heard any more or takes too long to close. Called every second.
  func check(now: MediaInstant) {
    if let endTime, endTime <= now { return end() }
    guard now - hearTime < limits.silence else { return end() }
    guard state == .open, now - max(pingTime, hearTime) >= limits.pingInterval else { return }
    pingTime = now
    write { WebSocketFrame.append(.ping, [], to: &$0) }
  }

  /// Lets the connection go, after whoever is calling now has done.
  func endSoon() {
    guard state != .ended, state != .failing else { return }
    state = .failing
    core?.loop.post { [self] in end() }
  }

  /// Lets the connection go without more words.
  func end() {
    guard state != .ended else { return }
    state = .ended
    core?.loop.events.remove(fileDescriptor: socket.fileDescriptor)
    socket.close()
    (unsent, unsentOffset) = ([], 0)
    let handlers = handlers
    self.handlers = nil
    handlers?.onClosed()
    core?.hasEnded(self)
  }
}
