import MediaBase
import Testing

@Suite struct HoldingTableTests {
  @Test("the sum is right, and nobody holds twice as much as the largest; against a plain list")
  func model() {
    var random = SeededRandom(seed: 3)
    var table = HoldingTable<Int>()
    var model: [Int: Int] = [:]
    for _ in 0..<20_000 {
      let (key, amount) = (Int.random(in: 0..<30, using: &random), Int.random(in: -100..<5_000, using: &random))
      table.set(key, amount)
      model[key] = amount > 0 ? amount : nil
      #expect(table.total == model.values.reduce(0, +) && table[key] == max(amount, 0))
      let most = model.values.max() ?? 0
      #expect(table.largest.map { 2 * table[$0] > most } ?? (most == 0))
    }
    for key in 0..<30 { table.set(key, 0) }
    #expect(table.total == 0 && table.largest == nil)
    table.set(1, .max)
    #expect(table.largest == 1)
  }
}
