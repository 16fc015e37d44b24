/// First in, first out, without moving elements on every removal.
struct DeliveryQueue<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var head = 0

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      head += 1
      if head == elements.count {
        elements.removeAll(keepingCapacity: true)
        head = 0
      }
    }
    return elements[head]
  }
}
