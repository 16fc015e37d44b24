import LinuxIO
import MediaBase
import Synchronization
import TestSupport
import Testing

@Suite(.ownThread) struct ThreadTests {
  @Test func `join waits for the closure, from several threads and repeatedly`() {
    let done = Atomic<Int>(0)
    let gate = BoundedQueue<Int>(capacity: 1)
    let worker = WorkerThread(name: "worker") {
      _ = gate.pop()
      done.store(1, ordering: .releasing)
    }
    let seen = Atomic<Int>(0)
    let joiners = (0..<3).map { _ in
      WorkerThread(name: "joiner") {
        worker.join()
        seen.add(done.load(ordering: .acquiring), ordering: .relaxed)
      }
    }
    gate.push(1)
    worker.join()
    worker.join()
    #expect(done.load(ordering: .acquiring) == 1)
    joiners.forEach { $0.join() }
    #expect(seen.load(ordering: .relaxed) == 3)
  }

  @Test func `joining itself and joining after detach do not hang`() {
    let box = Mutex<WorkerThread?>(nil)
    let gate = BoundedQueue<Int>(capacity: 1)
    let worker = WorkerThread(name: "self") {
      _ = gate.pop()
      box.withLock { $0 }?.join()
    }
    box.withLock { $0 = worker }
    gate.push(1)
    worker.detach()
    worker.join()
    box.withLock { $0 = nil }
  }

  @Test func `names are cut to what the kernel takes`() {
    #expect(WorkerThread(name: "a name that is much too long") {}.name == "a name that is ")
    #expect(WorkerThread(name: "ááááááááá") {}.name.utf8.count == 14)
    #expect(WorkerThread(name: "rtc-network") {}.name == "rtc-network")
  }

  @Test func `a small stack is enough for small work`() {
    let worker = WorkerThread(name: "small", stackSize: 1) {}
    #expect(worker.hasStarted)
    worker.join()
  }

  @Test func `sleep until an instant does not return before it`() {
    let start = MonotonicClock.now()
    MonotonicClock.sleep(until: start + .milliseconds(3))
    #expect(MonotonicClock.now() >= start + .milliseconds(3))
    MonotonicClock.sleep(until: start)
    MonotonicClock.sleep(for: .milliseconds(-1))
  }
}
