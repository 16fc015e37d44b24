import MediaBase
import Synchronization
import Testing

@Suite struct ArrivalOrderTests {
  @Test("keys stay in the order in which they came, whichever are taken out; against a plain list")
  func model() {
    for seed in UInt64(1)...50 {
      var random = SeededRandom(seed: seed)
      var order = ArrivalOrder<Int>()
      var model: [Int] = []
      for _ in 0..<500 {
        let key = Int.random(in: 0..<30, using: &random)
        if Bool.random(using: &random) {
          order.append(key)
          if !model.contains(key) { model.append(key) }
        } else {
          let isRemoved = order.remove(key)
          #expect(isRemoved == model.contains(key))
          model.removeAll { $0 == key }
        }
        #expect(Array(order) == model && order.count == model.count && order.isEmpty == model.isEmpty)
        #expect(order.first == model.first && order.last == model.last)
      }
    }
  }

  /// A key that counts how often it is looked at.
  private struct CountedKey: Hashable {
    final class Counter: Sendable { let value = Mutex(0) }

    let number: Int
    let counter: Counter

    static func == (one: CountedKey, other: CountedKey) -> Bool {
      one.counter.value.withLock { $0 += 1 }
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
      counter.value.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  @Test("taking one of very many out costs no more than taking one of a few", arguments: [1, 7, 13])
  func cost(stride: Int) {
    func looks(_ count: Int) -> Double {
      let counter = CountedKey.Counter()
      var order = ArrivalOrder<CountedKey>()
      for number in 0..<count { order.append(CountedKey(number: number, counter: counter)) }
      counter.value.withLock { $0 = 0 }
      // From the front, and from all over.
      for number in 0..<count {
        order.remove(CountedKey(number: number * stride % count, counter: counter))
      }
      return Double(counter.value.withLock { $0 }) / Double(count)
    }
    let (few, many) = (looks(64), looks(16_384))
    #expect(many < 2 * few, "\(few), \(many)")
  }
}
