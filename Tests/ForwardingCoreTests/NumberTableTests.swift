import MediaBase
import Testing

@testable import ForwardingCore

@Suite struct NumberTableTests {
  @Test(arguments: 1...UInt64(5)) func aTableFindsWhatADictionaryFinds(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = NumberTable<TransportAddress>(seed: seed)
    var model: [TransportAddress: Int32] = [:]
    for step in 0..<20_000 {
      let address = TransportAddress(ipv4: UInt32(random.next() % 30), port: UInt16(random.next() % 30))
      // Grows to some hundreds, shrinks again, many times.
      if random.next() % 100 < (step / 2_000 % 2 == 0 ? 70 : 30) {
        table.insert(address, Int32(step))
        model[address] = Int32(step)
      } else {
        table.remove(address)
        model[address] = nil
      }
      let count = table.count
      #expect(count == model.count)
      let probe = TransportAddress(ipv4: UInt32(random.next() % 30), port: UInt16(random.next() % 30))
      let found = table.find(probe)
      #expect(found == model[probe])
    }
    for (address, number) in model {
      let found = table.find(address)
      #expect(found == number)
    }
  }

  @Test func aPoolKeepsNumbersAndFreesElements() {
    final class Token {
      let onEnd: () -> Void
      init(_ onEnd: @escaping () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    var ended = 0
    do {
      var pool = Pool<Token>(minimumCapacity: 2)
      let numbers = (0..<10).map { _ in pool.insert(Token { ended += 1 }) }
      #expect(numbers == Array(0..<10))
      pool.remove(4)
      pool.remove(4)
      #expect(ended == 1)
      let again = pool.insert(Token { ended += 1 })
      #expect(again == 4)
      let contains = (pool.contains(-1), pool.contains(9), pool.contains(10))
      #expect(contains == (false, true, false))
    }
    #expect(ended == 11)
  }
}
