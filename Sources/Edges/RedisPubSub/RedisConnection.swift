import CHiredis
import Glibc

/// One connection to Redis, for one thread. Whatever fails ends it.
struct RedisConnection: ~Copyable {
  private let context: UnsafeMutablePointer<redisContext>

  /// Connects; `nil` if that is not possible within two seconds.
  init?(_ address: RedisAddress) {
    guard let context = redisConnectWithTimeout(address.host, Int32(address.port), timeval(tv_sec: 2, tv_usec: 0))
    else { return nil }
    guard context.pointee.err == 0 else {
      redisFree(context)
      return nil
    }
    redisSetTimeout(context, timeval(tv_sec: 3, tv_usec: 0))
    redisEnableKeepAlive(context)
    self.context = context
  }

  deinit { redisFree(context) }

  /// Says who this is, and chooses the database; false if Redis refuses.
  borrowing func begin(_ address: RedisAddress) -> Bool {
    if !address.password.isEmpty {
      let credentials = address.user.isEmpty ? [address.password] : [address.user, address.password]
      guard isDone(["AUTH"] + credentials) else { return false }
    }
    return address.database == 0 || isDone(["SELECT", String(address.database)])
  }

  private borrowing func isDone(_ command: [String]) -> Bool {
    guard append(command), let reply = readReply() else { return false }
    if case .error = reply { return false }
    return true
  }

  /// Adds a command to what is sent next.
  borrowing func append(_ command: [String]) -> Bool {
    let texts = command.map { Array($0.utf8) }
    let bytes = texts.flatMap { $0 }
    let lengths = texts.map(\.count)
    return bytes.withUnsafeBytes { buffer in
      // One byte is there even for nothing but empty texts: the pointers must be some.
      withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { spare in
        let base = (buffer.baseAddress ?? UnsafeRawPointer(spare.baseAddress))?.assumingMemoryBound(to: CChar.self)
        var offset = 0
        var pointers: [UnsafePointer<CChar>?] = lengths.map { length in
          defer { offset += length }
          return base.map { $0 + offset }
        }
        return redisAppendCommandArgv(context, Int32(lengths.count), &pointers, lengths) == REDIS_OK
      }
    }
  }

  /// Sends what has been added, and waits for one answer; `nil` if the connection has failed.
  borrowing func readReply() -> RedisReply? {
    var pointer: UnsafeMutableRawPointer?
    guard redisGetReply(context, &pointer) == REDIS_OK, let pointer else { return nil }
    defer { freeReplyObject(pointer) }
    return RedisReply(pointer.assumingMemoryBound(to: redisReply.self))
  }

  /// Sends what has been added; false if the connection has failed.
  borrowing func flush() -> Bool {
    var isDone: Int32 = 0
    while isDone == 0 {
      guard redisBufferWrite(context, &isDone) == REDIS_OK else { return false }
    }
    return true
  }

  /// Hands what comes within a while to `body`; false if the connection has failed.
  borrowing func receive(waitingMilliseconds: Int32, _ body: (RedisReply) -> Void) -> Bool {
    var entry = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, waitingMilliseconds) > 0 else { return true }
    guard redisBufferRead(context) == REDIS_OK else { return false }
    while true {
      var pointer: UnsafeMutableRawPointer?
      guard redisGetReplyFromReader(context, &pointer) == REDIS_OK else { return false }
      guard let pointer else { return true }
      body(RedisReply(pointer.assumingMemoryBound(to: redisReply.self)))
      freeReplyObject(pointer)
    }
  }
}
