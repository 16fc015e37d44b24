import MediaBase
import Testing

@Suite struct DeadlineQueueTests {
  @Test("keys come out by their deadlines, whatever was set, changed and taken back before; against a plain list")
  func model() {
    for seed in UInt64(1)...50 {
      var random = SeededRandom(seed: seed)
      var queue = DeadlineQueue<Int>()
      var model: [(key: Int, time: MediaInstant)] = []
      for _ in 0..<500 {
        let key = Int.random(in: 0..<40, using: &random)
        let time = MediaInstant.zero + .milliseconds(Int64.random(in: 0..<100, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          queue.set(key, nil)
          model.removeAll { $0.key == key }
        case 1:
          let known = model.first { $0.key == key }?.time
          queue.setIfEarlier(key, time)
          if known.map({ time < $0 }) ?? true {
            model.removeAll { $0.key == key }
            model.append((key, time))
          }
        case 2:
          while let popped = queue.popFirst(dueAt: time) {
            let first = model.enumerated().min { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            #expect(first?.element.key == popped && first.map { $0.element.time <= time } == true)
            if let first { model.remove(at: first.offset) }
          }
          #expect(model.allSatisfy { $0.time > time })
        default:
          queue.set(key, time)
          model.removeAll { $0.key == key }
          model.append((key, time))
        }
        #expect(queue.count == model.count && queue.nextTime == model.map(\.time).min())
        #expect(queue[key] == model.first { $0.key == key }?.time)
      }
    }
  }
}
