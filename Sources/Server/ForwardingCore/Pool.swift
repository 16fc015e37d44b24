/// Elements under small numbers that stay theirs until they are removed; then the number is used again.
///
/// Elements lie side by side, so that going over many is cheap; they move in memory when the pool grows.
struct Pool<Element: ~Copyable>: ~Copyable {
  /// Stands for no element.
  static var none: Int32 { -1 }

  private var elements: UnsafeMutablePointer<Element>
  private var occupied: UnsafeMutablePointer<Bool>
  private var free: [Int32] = []
  /// One more than the highest number ever given out.
  private(set) var endIndex: Int32 = 0
  private var capacity: Int
  /// How many elements there are.
  private(set) var count = 0

  init(minimumCapacity: Int = 16) {
    capacity = max(minimumCapacity, 1)
    elements = .allocate(capacity: capacity)
    occupied = .allocate(capacity: capacity)
    occupied.initialize(repeating: false, count: capacity)
  }

  deinit {
    for index in 0..<Int(endIndex) where occupied[index] { (elements + index).deinitialize(count: 1) }
    elements.deallocate()
    occupied.deallocate()
  }

  func contains(_ index: Int32) -> Bool { index >= 0 && index < endIndex && occupied[Int(index)] }

  /// The element under a number that `insert` gave and that has not been removed.
  subscript(index: Int32) -> Element {
    _read {
      precondition(contains(index))
      yield elements[Int(index)]
    }
    _modify {
      precondition(contains(index))
      yield &elements[Int(index)]
    }
  }

  mutating func insert(_ element: consuming Element) -> Int32 {
    if free.isEmpty {
      if Int(endIndex) == capacity { grow() }
      free.append(endIndex)
      endIndex += 1
    }
    let index = free.removeLast()
    (elements + Int(index)).initialize(to: element)
    occupied[Int(index)] = true
    count += 1
    return index
  }

  mutating func remove(_ index: Int32) {
    guard contains(index) else { return }
    (elements + Int(index)).deinitialize(count: 1)
    occupied[Int(index)] = false
    free.append(index)
    count -= 1
  }

  private mutating func grow() {
    // Only called when every place is taken.
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    let marks = UnsafeMutablePointer<Bool>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: elements, count: capacity)
    marks.initialize(repeating: false, count: capacity * 2)
    for index in 0..<capacity { marks[index] = occupied[index] }
    elements.deallocate()
    occupied.deallocate()
    elements = larger
    occupied = marks
    capacity *= 2
  }
}
