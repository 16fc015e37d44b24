/// A running hash (FNV-1a over whole numbers) of everything that happens in a world: two runs of one seed must agree.
public struct TraceHash: Hashable, Sendable {
  /// The hash so far.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
  /// How many numbers it covers.
  public private(set) var count = 0

  /// The hash of nothing.
  public init() {}

  /// Adds a number.
  public mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x0000_0100_0000_01B3
    value ^= value &>> 29
    count += 1
  }

  /// Adds a text.
  public mutating func add(_ text: String) {
    for byte in text.utf8 { add(UInt64(byte)) }
  }

  /// Adds a datagram: its length and its end, where what authenticates all of it is.
  mutating func add(datagram: [UInt8]) {
    add(UInt64(datagram.count))
    add(datagram.suffix(8).reduce(UInt64(0)) { $0 &<< 8 | UInt64($1) })
  }
}
