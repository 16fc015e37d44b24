import CLinuxShims
import MediaBase

/// A `DatagramFilter` as a program of the kernel's classic packet filter, which any user may attach.
///
/// Such a program has no memory that outlives a datagram: the tables of who is known are part of it, as a tree of
/// comparisons over the words of a bit table. That makes a look-up some ten steps for thousands of entries.
struct FilterProgram {
  /// A table has 2^`bits` bits: 128 for each entry where that is possible, so that a stranger passes by chance once in
  /// 128 times. Two of the largest are as much as the kernel takes.
  private struct Table {
    static let bitsRange = 10...14
    static let bitsPerEntry = 128
    let bits: Int
    let factor: UInt32
    private(set) var words: [UInt32]

    init(count: Int, factor: UInt32) {
      var bits = Self.bitsRange.lowerBound
      while bits < Self.bitsRange.upperBound, 1 << bits < count * Self.bitsPerEntry { bits += 1 }
      self.bits = bits
      self.factor = factor | 1
      words = Array(repeating: 0, count: 1 << (bits - 5))
    }

    mutating func insert(_ key: UInt32) {
      let place = Int((key &* factor) &>> UInt32(32 - bits))
      words[place / 32] |= 1 << UInt32(place % 32)
    }
  }

  /// Where the datagram begins: the program sees the UDP header first.
  private static let payload: UInt32 = 8
  /// Offsets from here on count from the IP header (SKF_NET_OFF).
  private static let networkHeader: UInt32 = 0xFFF0_0000
  private static let magicCookie: UInt32 = 0x2112_A442
  private static let userNameAttribute: UInt32 = 0x0006
  /// How many attributes of a check are looked at; who writes the user name behind more of them is let through.
  private static let attributesLookedAt = 8

  private(set) var steps: [clx_filter_step] = []
  private let addressFactor: UInt32
  private let foldFactor: UInt32

  init(_ filter: DatagramFilter, secret: () -> UInt32) {
    (addressFactor, foldFactor) = (secret() | 1, secret() | 1)
    var addresses = Table(count: filter.addresses.count, factor: secret())
    for address in filter.addresses where address.transport == .udp { addresses.insert(key(of: address)) }
    var names = Table(count: filter.userNames.count, factor: secret())
    for name in filter.userNames { names.insert(name) }
    checkKind()
    lookUpAddress(in: addresses)
    lookUpUserName(in: names)
  }

  func attach(to socket: Int32) -> Bool {
    guard let count = UInt16(exactly: steps.count) else { return false }
    return steps.withUnsafeBufferPointer { clx_attach_filter(socket, $0.baseAddress, count) } == 0
  }

  static func detach(from socket: Int32) -> Bool { clx_detach_filter(socket) == 0 }

  static func droppedDatagrams(at socket: Int32) -> UInt32 { clx_dropped_at(socket) }

  /// What the program computes of a datagram's source.
  private func key(of address: TransportAddress) -> UInt32 {
    let words =
      address.family == .ipv4
      ? [UInt32(truncatingIfNeeded: address.low)]
      : [address.high &>> 32, address.high, address.low &>> 32, address.low].map { UInt32(truncatingIfNeeded: $0) }
    let folded = words.reduce(0) { ($0 &* foldFactor) ^ $1 }
    return folded &* addressFactor &+ UInt32(address.port)
  }

  // MARK: parts of the program

  /// By the first byte (RFC 7983 section 7); STUN has its cookie too. What is too short to be looked at is dropped by the
  /// kernel.
  private mutating func checkKind() {
    add(.loadByte, Self.payload)
    add(.store, 0)
    dropIf(.isGreater, 191)
    // 128 to 191 is RTP and RTCP, 20 to 63 DTLS, 0 to 3 STUN.
    add(.isAtLeast, 128, ifTrue: 8, ifFalse: 0)
    dropIf(.isGreater, 63)
    add(.isAtLeast, 20, ifTrue: 5, ifFalse: 0)
    dropIf(.isGreater, 3)
    add(.loadWord, Self.payload + 4)
    keepIf(.isEqual, Self.magicCookie)
  }

  /// Lets through what comes from a known address.
  private mutating func lookUpAddress(in table: Table) {
    let network = Self.networkHeader
    var wide: [clx_filter_step] = []
    for offset in [8, 12, 16, 20] as [UInt32] {
      // What has been folded so far waits in X.
      wide.append(step(offset == 8 ? .loadConstant : .copyFromX, 0))
      wide.append(step(.multiply, foldFactor))
      wide.append(step(.copyToX, 0))
      wide.append(step(.loadWord, network &+ offset))
      wide.append(step(.xorX, 0))
      wide.append(step(.copyToX, 0))
    }
    add(.loadByte, network)
    add(.shiftRight, 4)
    add(.isEqual, 6, ifTrue: 2, ifFalse: 0)
    add(.loadWord, network &+ 12)
    add(.jump, UInt32(wide.count))
    steps += wide
    add(.multiply, addressFactor)
    add(.copyToX, 0)
    // The UDP header begins with the port that it comes from.
    add(.loadHalf, 0)
    add(.addX, 0)
    lookUp(in: table)
  }

  /// Of the rest, lets requests through whose user name begins like a known one.
  private mutating func lookUpUserName(in table: Table) {
    add(.load, 0)
    dropIf(.isGreater, 3)
    add(.loadHalf, Self.payload)
    keepIf(.isEqual, 0x0001)
    add(.loadConstantToX, Self.payload + 20)
    for index in 0..<Self.attributesLookedAt {
      add(.loadHalfAtX, 0)
      add(.isEqual, Self.userNameAttribute, ifTrue: UInt8(7 * (Self.attributesLookedAt - index) - 1), ifFalse: 0)
      add(.loadHalfAtX, 2)
      // Type and length, and the value filled up to four bytes.
      add(.add, 7)
      add(.and, 0xFFFC)
      add(.addX, 0)
      add(.copyToX, 0)
    }
    add(.end, .max)
    add(.loadWordAtX, 4)
    lookUp(in: table)
    add(.end, 0)
  }

  /// Lets the datagram through if the bit of the key in A is set; goes on if not.
  private mutating func lookUp(in table: Table) {
    add(.multiply, table.factor)
    add(.shiftRight, UInt32(32 - table.bits))
    add(.copyToX, 0)
    add(.and, 31)
    add(.store, 1)
    add(.copyFromX, 0)
    add(.shiftRight, 5)
    steps += tree(of: table.words[...], stepsBehind: 0)
    add(.loadToX, 1)
    add(.shiftRightByX, 0)
    add(.isSet, 1, ifTrue: 0, ifFalse: 1)
    add(.end, .max)
  }

  /// Finds the word whose number is in A, loads it, and goes to what follows `stepsBehind` steps later.
  private func tree(of words: ArraySlice<UInt32>, stepsBehind: Int) -> [clx_filter_step] {
    guard words.count > 1, let first = words.indices.first else {
      return [step(.loadConstant, words.first ?? 0), step(.jump, UInt32(stepsBehind))]
    }
    let middle = first + words.count / 2
    let right = tree(of: words[middle...], stepsBehind: stepsBehind)
    let left = tree(of: words[..<middle], stepsBehind: stepsBehind + right.count)
    // A comparison reaches 255 steps; an unconditional jump any number.
    guard let distance = UInt8(exactly: left.count) else {
      return [
        step(.isAtLeast, UInt32(middle), ifTrue: 0, ifFalse: 1), step(.jump, UInt32(left.count)),
      ] + left + right
    }
    return [step(.isAtLeast, UInt32(middle), ifTrue: distance, ifFalse: 0)] + left + right
  }

  // MARK: steps

  /// Instructions (linux/bpf_common.h): class, width or operation, and where the operand is.
  private enum Operation: UInt16 {
    case loadWord = 0x20
    case loadHalf = 0x28
    case loadByte = 0x30
    case loadWordAtX = 0x40
    case loadHalfAtX = 0x48
    case loadConstant = 0x00
    case loadConstantToX = 0x01
    case load = 0x60
    case loadToX = 0x61
    case store = 0x02
    case add = 0x04
    case addX = 0x0C
    case multiply = 0x24
    case and = 0x54
    case shiftRight = 0x74
    case shiftRightByX = 0x7C
    case xorX = 0xAC
    case copyToX = 0x07
    case copyFromX = 0x87
    case jump = 0x05
    case isEqual = 0x15
    case isGreater = 0x25
    case isAtLeast = 0x35
    case isSet = 0x45
    case end = 0x06
  }

  private func step(_ operation: Operation, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0)
    -> clx_filter_step
  {
    clx_filter_step(code: operation.rawValue, jump_if_true: ifTrue, jump_if_false: ifFalse, operand: operand)
  }

  private mutating func add(_ operation: Operation, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) {
    steps.append(step(operation, operand, ifTrue: ifTrue, ifFalse: ifFalse))
  }

  private mutating func dropIf(_ comparison: Operation, _ operand: UInt32) {
    add(comparison, operand, ifTrue: 0, ifFalse: 1)
    add(.end, 0)
  }

  private mutating func keepIf(_ comparison: Operation, _ operand: UInt32) {
    add(comparison, operand, ifTrue: 1, ifFalse: 0)
    add(.end, 0)
  }
}
