import Glibc
import LinuxIO
import MediaBase
import TestSupport
import Testing

/// Figures of the whole process: one at a time, and against what other tests do at the same moment only by many more
/// resources than those use.
@Suite(.serialized, .ownThread) struct ProcessTests {
  @Test func `descriptors and threads of loops, sockets and threads are all given back`() throws {
    let before = ProcessStatistics.current()
    for _ in 0..<200 {
      let loop = EventLoop()
      let socket = try UDPSocket(host: "127.0.0.1", port: 0)
      loop.add(fileDescriptor: socket.fileDescriptor) {}
      let worker = WorkerThread(name: "loop") { loop.run() }
      loop.stop()
      worker.join()
      _ = WakeEvent()
    }
    let after = ProcessStatistics.current()
    // 200 rounds would leave at least 200 of whatever leaks.
    #expect(after.fileDescriptorCount - before.fileDescriptorCount < 100)
    #expect(after.threadCount - before.threadCount < 100)
  }

  @Test func `threads and descriptors are counted`() throws {
    let gate = BoundedQueue<Int>(capacity: 1)
    let before = ProcessStatistics.current()
    let workers = (0..<60).map { _ in WorkerThread(name: "waiting", stackSize: 65_536) { _ = gate.pop() } }
    let sockets = try (0..<60).map { _ in try UDPSocket(host: "127.0.0.1", port: 0) }
    let during = ProcessStatistics.current()
    #expect(during.threadCount - before.threadCount > 20)
    #expect(during.fileDescriptorCount - before.fileDescriptorCount > 20)
    #expect(during.residentBytes > 1_000_000)
    gate.close()
    workers.forEach { $0.join() }
    sockets.forEach { $0.close() }
  }

  @Test func `processor time grows with work`() {
    let before = (ProcessStatistics.current().cpuTime, ProcessStatistics.currentThreadCPUTime())
    var state: UInt64 = 1
    while ProcessStatistics.currentThreadCPUTime() < before.1 + .milliseconds(2) {
      for _ in 0..<10_000 { state = state &* 6_364_136_223_846_793_005 &+ 1 }
    }
    #expect(ProcessStatistics.current().cpuTime > before.0)
    #expect(state != 1)
  }

  @Test func `an IP address resolves to itself and localhost to loopback`() throws {
    let address = try #require(TransportAddress(host: "192.0.2.7", port: 9))
    #expect(try HostResolver.resolve(host: "192.0.2.7", port: 9) == [address])
    let local = try HostResolver.resolve(host: "localhost", port: 80)
    #expect(local.contains(TransportAddress(ipv4: 0x7F00_0001, port: 80)) || local.contains { $0.low == 1 })
    #expect(Set(local).count == local.count)
  }

  @Test func `an unknown host is told as a sentence with its name`() {
    let error = #expect(throws: HostResolverError.self) {
      try HostResolver.resolve(host: "no-such-host.invalid", port: 1)
    }
    #expect(error?.description.contains("no-such-host.invalid") == true)
  }

  @Test func `the process that has a file open is named`() throws {
    let path = "/tmp/greenroom-holder-\(getpid())"
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { unlink(path) }
    #expect(DeviceHolder.find(path)?.contains("(\(getpid()))") == true)
    close(descriptor)
    #expect(DeviceHolder.find(path) == nil)
  }
}
