import LinuxIO
import MediaBase
import TestSupport
import Testing

@Suite(.ownThread) struct BoundedQueueTests {
  @Test func `a full queue drops the oldest`() {
    let queue = BoundedQueue<Int>(capacity: 3)
    for value in 1...5 { #expect(queue.push(value)) }
    #expect(queue.droppedCount == 2)
    #expect([queue.tryPop(), queue.tryPop(), queue.tryPop(), queue.tryPop()] == [3, 4, 5, nil])
  }

  @Test func `a full queue refuses the newest`() {
    let queue = BoundedQueue<Int>(capacity: 2, dropping: .newest)
    #expect([1, 2, 3].map { queue.push($0) } == [true, true, false])
    #expect(queue.droppedCount == 1)
    #expect([queue.tryPop(), queue.tryPop(), queue.tryPop()] == [1, 2, nil])
  }

  @Test func `closing lets readers finish what is left, then ends them`() {
    let queue = BoundedQueue<Int>(capacity: 4)
    queue.push(1)
    queue.close()
    #expect(!queue.push(2))
    #expect(queue.pop() == 1)
    #expect(queue.pop() == nil)
    #expect(queue.pop(waitingAtMost: .seconds(60)) == nil)
  }

  @Test func `waiting ends by a push, by the time, and by closing`() {
    let queue = BoundedQueue<Int>(capacity: 4)
    #expect(queue.pop(waitingAtMost: .milliseconds(2)) == nil)
    let writer = WorkerThread(name: "writer") {
      queue.push(7)
      queue.close()
    }
    #expect(queue.pop() == 7)
    #expect(queue.pop() == nil)
    writer.join()
  }

  @Test func `every element is either read or counted as dropped`() {
    let queue = BoundedQueue<Int>(capacity: 16)
    let read = BoundedQueue<Int>(capacity: 10_000)
    let readers = (0..<2).map { _ in
      WorkerThread(name: "reader") { while let value = queue.pop() { read.push(value) } }
    }
    let writers = (0..<2).map { writer in
      WorkerThread(name: "writer") { for value in 0..<2_000 { queue.push(writer * 2_000 + value) } }
    }
    writers.forEach { $0.join() }
    queue.close()
    readers.forEach { $0.join() }
    #expect(read.count + queue.droppedCount == 4_000)
  }

  @Test func `removing everything frees the elements and counts nothing`() {
    final class Token: Sendable {}
    let queue = BoundedQueue<Token>(capacity: 2)
    weak var weakToken: Token?
    do {
      let token = Token()
      weakToken = token
      queue.push(token)
    }
    #expect(weakToken != nil)
    queue.removeAll()
    #expect(weakToken == nil)
    #expect(queue.count == 0 && queue.droppedCount == 0)
  }
}
