import PictureComposition
import Testing

@Suite struct GridLayoutTests {
  private static let sizes = [(1_280, 720), (720, 1_280), (640, 361), (1_999, 333), (4_096, 2_160), (300, 300)]

  @Test(arguments: sizes)
  func `areas are equal, even, inside, and apart from each other`(_ width: Int, _ height: Int) {
    for count in 1...GridLayout.mostTiles {
      let areas = GridLayout.areas(count: count, width: width, height: height)
      guard !areas.isEmpty else {
        #expect(count > 9, "no room for \(count) in \(width)x\(height)")
        continue
      }
      #expect(areas.count == count)
      for area in areas {
        #expect(area.width == areas[0].width && area.height == areas[0].height)
        #expect([area.x, area.y, area.width, area.height].allSatisfy { $0 % 2 == 0 && $0 >= 0 })
        #expect(area.x + area.width <= width && area.y + area.height <= height)
      }
      for (index, a) in areas.enumerated() {
        for b in areas[(index + 1)...] {
          let isApart =
            a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
          #expect(isApart, "\(count) in \(width)x\(height)")
        }
      }
    }
  }

  @Test func `people stand side by side in wide pictures and above each other in high ones`() {
    let wide = GridLayout.areas(count: 2, width: 1_280, height: 360)
    #expect(wide[0].y == wide[1].y && wide[0].x < wide[1].x)
    let high = GridLayout.areas(count: 2, width: 360, height: 1_280)
    #expect(high[0].x == high[1].x && high[0].y < high[1].y)
    let four = GridLayout.areas(count: 4, width: 1_280, height: 720)
    #expect(Set(four.map(\.x)).count == 2 && Set(four.map(\.y)).count == 2)
    // The third of three stands in the middle of the second row.
    let three = GridLayout.areas(count: 3, width: 1_280, height: 720)
    #expect(abs(three[2].x + three[2].width / 2 - 640) <= 2)
  }

  @Test func `where there is no room nobody is shown, and one person gets everything`() {
    #expect(GridLayout.areas(count: 1, width: 641, height: 360) == [.init(x: 0, y: 0, width: 640, height: 360)])
    for (count, width, height) in [(0, 640, 360), (-1, 640, 360), (1, 15, 360), (60, 64, 64), (2, .max, .max)] {
      #expect(GridLayout.areas(count: count, width: width, height: height).isEmpty)
    }
    #expect(GridLayout.areas(count: 1_000, width: 1_280, height: 720).count == GridLayout.mostTiles)
  }
}
