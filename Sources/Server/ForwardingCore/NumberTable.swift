import MediaBase

/// A key of a `NumberTable`.
protocol NumberTableKey: Equatable {
  /// Mixes the key with a secret of the table's.
  func hash(seed: UInt64) -> UInt64
  /// Fills unused places.
  static var blank: Self { get }
}

/// Finds numbers by keys: open addressing with linear probing, at most half full.
struct NumberTable<Key: NumberTableKey>: ~Copyable {
  private struct Place {
    var key: Key
    /// -1 where there is no entry.
    var number: Int32
  }

  private var places: UnsafeMutablePointer<Place>
  private var mask: Int
  private let seed: UInt64
  private(set) var count = 0

  init(seed: UInt64) {
    self.seed = seed
    mask = 63
    places = .allocate(capacity: 64)
    places.initialize(repeating: Place(key: .blank, number: -1), count: 64)
  }

  deinit { places.deallocate() }

  private func home(_ key: Key) -> Int { Int(truncatingIfNeeded: key.hash(seed: seed)) & mask }

  /// The number under `key`.
  func find(_ key: Key) -> Int32? {
    var position = home(key)
    while places[position].number >= 0 {
      if places[position].key == key { return places[position].number }
      position = (position &+ 1) & mask
    }
    return nil
  }

  /// Puts a number, at least 0, under `key`, in place of another.
  mutating func insert(_ key: Key, _ number: Int32) {
    if (count + 1) * 2 > mask + 1 { grow() }
    var position = home(key)
    while places[position].number >= 0 && places[position].key != key { position = (position &+ 1) & mask }
    if places[position].number < 0 { count += 1 }
    places[position] = Place(key: key, number: number)
  }

  /// Forgets `key`.
  mutating func remove(_ key: Key) {
    var position = home(key)
    while places[position].key != key || places[position].number < 0 {
      guard places[position].number >= 0 else { return }
      position = (position &+ 1) & mask
    }
    count -= 1
    // Entries behind the hole move up unless they would pass their home.
    var hole = position
    while true {
      position = (position &+ 1) & mask
      guard places[position].number >= 0 else { break }
      let distance = (position &- home(places[position].key)) & mask
      if distance >= (position &- hole) & mask {
        places[hole] = places[position]
        hole = position
      }
    }
    places[hole].number = -1
  }

  private mutating func grow() {
    let old = places
    let oldCount = mask + 1
    places = .allocate(capacity: oldCount * 2)
    places.initialize(repeating: Place(key: .blank, number: -1), count: oldCount * 2)
    mask = oldCount * 2 - 1
    count = 0
    for position in 0..<oldCount where old[position].number >= 0 { insert(old[position].key, old[position].number) }
    old.deallocate()
  }
}

extension TransportAddress: NumberTableKey {
  static var blank: TransportAddress { TransportAddress(ipv4: 0, port: 0) }

  func hash(seed: UInt64) -> UInt64 {
    mixed(seed ^ high, mixed(low, UInt64(port) &<< 8 | UInt64(family.rawValue ^ transport.rawValue)))
  }
}

/// An SSRC on one peer's connection.
struct PeerSSRC: NumberTableKey {
  var peer: Int32
  var ssrc: UInt32

  static var blank: PeerSSRC { PeerSSRC(peer: -1, ssrc: 0) }

  func hash(seed: UInt64) -> UInt64 { mixed(seed, UInt64(UInt32(bitPattern: peer)) &<< 32 | UInt64(ssrc)) }
}

/// The finisher of SplitMix64 over both values.
private func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var z = a &+ b &* 0x9E37_79B9_7F4A_7C15
  z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z &>> 31)
}
