import Glibc
import LinuxIO
import MediaBase
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct EventLoopTests {
  /// Values in the order in which they were noted, from any thread.
  final class Log<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func note(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
  }

  @Test func `posts of each thread run in its order, and all of them`() {
    let loop = EventLoop()
    let log = Log<(thread: Int, number: Int)>()
    let worker = WorkerThread(name: "loop") { loop.run() }
    let posters = (0..<4).map { thread in
      WorkerThread(name: "poster") {
        for number in 0..<500 { loop.post { log.note((thread, number)) } }
      }
    }
    posters.forEach { $0.join() }
    loop.stop()
    worker.join()
    for thread in 0..<4 {
      #expect(log.all.filter { $0.thread == thread }.map(\.number) == Array(0..<500))
    }
  }

  @Test func `what was posted before stop runs, what is posted after the end is refused`() {
    let loop = EventLoop()
    let log = Log<Int>()
    #expect(loop.post { log.note(1) })
    loop.post {
      log.note(2)
      loop.stop()
      loop.post { log.note(3) }
    }
    loop.run()
    #expect(log.all == [1, 2, 3])
    #expect(!loop.post { log.note(4) })
    #expect(log.all == [1, 2, 3])
  }

  @Test func `a timer fires once, not before its time, and the later setting wins`() {
    let loop = EventLoop()
    let log = Log<String>()
    let start = MonotonicClock.now()
    loop.setTimer(at: start + .milliseconds(5)) { log.note("replaced") }
    loop.setTimer(at: start + .milliseconds(20)) {
      log.note(MonotonicClock.now() >= start + .milliseconds(20) ? "on time" : "early")
      loop.setTimer(at: start + .milliseconds(10)) {
        log.note("past")
        loop.setTimer(at: nil) {}
        loop.stop()
      }
    }
    loop.run()
    #expect(log.all == ["on time", "past"])
  }

  @Test func `an earlier time replaces a later one`() {
    let loop = EventLoop()
    let log = Log<String>()
    loop.setTimer(at: MonotonicClock.now() + .seconds(3_600)) { log.note("late") }
    loop.setTimer(at: MonotonicClock.now() + .milliseconds(2)) {
      log.note("early")
      loop.stop()
    }
    loop.run()
    #expect(log.all == ["early"])
  }

  @Test func `a readable socket is served until it is removed`() throws {
    let loop = EventLoop()
    let pair = try SocketPair()
    let log = Log<[UInt8]>()
    let batch = DatagramBatch()
    loop.add(fileDescriptor: pair.b.fileDescriptor) {
      pair.b.receiveBatch(into: batch) { bytes, source in
        log.note(Array(bytes))
        if bytes.count == 3 {
          loop.remove(fileDescriptor: pair.b.fileDescriptor)
          loop.stop()
        } else {
          pair.b.send(UnsafeRawBufferPointer(bytes), to: source)
        }
      }
    }
    loop.add(fileDescriptor: pair.a.fileDescriptor) {
      pair.a.receiveBatch(into: batch) { _, source in
        pattern(3).withUnsafeBytes { _ = pair.a.send($0, to: source) }
      }
    }
    _ = pattern(2).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) }
    loop.run()
    #expect(log.all == [pattern(2), pattern(3)])
  }

  @Test func `a callback may remove another that is ready in the same turn`() throws {
    let loop = EventLoop()
    let pair = try SocketPair()
    let log = Log<String>()
    let (a, b) = (pair.a.fileDescriptor, pair.b.fileDescriptor)
    loop.add(fileDescriptor: a) {
      log.note("one")
      loop.remove(fileDescriptor: a)
      loop.remove(fileDescriptor: b)
    }
    loop.add(fileDescriptor: b) {
      log.note("one")
      loop.remove(fileDescriptor: a)
      loop.remove(fileDescriptor: b)
    }
    _ = pattern(1).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) }
    _ = pattern(1).withUnsafeBytes { pair.b.send($0, to: pair.a.localAddress) }
    loop.setTimer(at: MonotonicClock.now() + .milliseconds(20)) { loop.stop() }
    loop.run()
    #expect(log.all == ["one"])
  }

  @Test func `a closed and reused number does not get the old callback`() throws {
    let loop = EventLoop()
    let log = Log<String>()
    let first = try UDPSocket(host: "127.0.0.1", port: 0)
    loop.add(fileDescriptor: first.fileDescriptor) { log.note("old") }
    loop.remove(fileDescriptor: first.fileDescriptor)
    first.close()
    let second = try UDPSocket(host: "127.0.0.1", port: 0)
    let batch = DatagramBatch()
    loop.add(fileDescriptor: second.fileDescriptor) {
      second.receiveBatch(into: batch) { _, _ in log.note("new") }
      loop.stop()
    }
    _ = pattern(1).withUnsafeBytes { second.send($0, to: second.localAddress) }
    loop.run()
    #expect(log.all == ["new"])
  }

  @Test func `the loop knows its own thread`() {
    let loop = EventLoop()
    let log = Log<Bool>()
    log.note(loop.isCurrentThread)
    loop.post {
      log.note(loop.isCurrentThread)
      loop.stop()
    }
    loop.run()
    log.note(loop.isCurrentThread)
    #expect(log.all == [false, true, false])
  }

  @Test func `a loop that has ended lets go of its closures`() throws {
    final class Token: Sendable {}
    weak var weakToken: Token?
    weak var weakLoop: EventLoop?
    do {
      let token = Token()
      let loop = EventLoop()
      weakToken = token
      weakLoop = loop
      let socket = try UDPSocket(host: "127.0.0.1", port: 0)
      loop.add(fileDescriptor: socket.fileDescriptor) { _ = (token, loop) }
      loop.setTimer(at: MonotonicClock.now() + .seconds(3_600)) { _ = (token, loop) }
      loop.post { _ = (token, loop) }
      loop.stop()
      loop.run()
    }
    #expect(weakToken == nil)
    #expect(weakLoop == nil)
  }

  @Test func `without a free descriptor, posts and timers still run`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let loop = EventLoop()
      guard !loop.isWatching, !loop.add(fileDescriptor: 0, {}) else { exit(1) }
      loop.post {
        loop.setTimer(at: MonotonicClock.now() + .milliseconds(2)) { loop.stop() }
      }
      loop.run()
    }
  }
}
