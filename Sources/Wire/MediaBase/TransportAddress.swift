/// An IP address and port with the protocol above it, as a plain value without allocation (IPv4 is kept as itself, not
/// mapped into IPv6).
public struct TransportAddress: Hashable, Sendable {
  /// The address family.
  public enum Family: UInt8, Sendable {
    /// 32 bits.
    case ipv4 = 4
    /// 128 bits.
    case ipv6 = 6
  }

  /// What carries datagrams to the address.
  public enum Transport: UInt8, Sendable {
    /// Each datagram by itself.
    case udp = 17
    /// Each datagram behind its length (RFC 4571).
    case tcp = 6
  }

  /// The address family.
  public var family: Family
  /// UDP unless something else is said.
  public var transport = Transport.udp
  /// The first 8 bytes of an IPv6 address in network order as a big-endian number; 0 for IPv4.
  public var high: UInt64
  /// The last 8 bytes of an IPv6 address; for IPv4 the address is in the low 32 bits.
  public var low: UInt64
  /// UDP or TCP port, host byte order.
  public var port: UInt16

  /// Makes an IPv4 address from its 32 bits (`0x7F000001` is 127.0.0.1).
  @inlinable public init(ipv4: UInt32, port: UInt16) {
    family = .ipv4
    high = 0
    low = UInt64(ipv4)
    self.port = port
  }

  /// Makes an IPv6 address from its two halves, each read in network order.
  @inlinable public init(ipv6High high: UInt64, low: UInt64, port: UInt16) {
    family = .ipv6
    self.high = high
    self.low = low
    self.port = port
  }
}

extension TransportAddress {
  /// Parses dotted IPv4 (`"127.0.0.1"`) or IPv6 text (`"::1"`, with `::` compression and a trailing IPv4 part); `nil` if
  /// `host` is neither. Host names are not resolved.
  public init?(host: String, port: UInt16) {
    if let ipv4 = Self.parseIPv4(host[...]) {
      self.init(ipv4: ipv4, port: port)
      return
    }
    guard let groups = Self.parseIPv6Groups(host) else { return nil }
    let high = groups[0..<4].reduce(UInt64(0)) { $0 &<< 16 | UInt64($1) }
    let low = groups[4..<8].reduce(UInt64(0)) { $0 &<< 16 | UInt64($1) }
    self.init(ipv6High: high, low: low, port: port)
  }

  /// The address without the port, as text.
  public var host: String {
    switch family {
    case .ipv4:
      return [24, 16, 8, 0].map { String((low &>> UInt64($0)) & 0xFF) }.joined(separator: ".")
    case .ipv6:
      let groups = [high, low].flatMap { half in
        [48, 32, 16, 0].map { String((half &>> UInt64($0)) & 0xFFFF, radix: 16) }
      }
      return groups.joined(separator: ":")
    }
  }

  /// Whether the two differ in port and transport at most.
  public func isSameHost(as other: TransportAddress) -> Bool {
    family == other.family && high == other.high && low == other.low
  }

  private static func parseIPv4(_ text: Substring) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      // A leading zero could mean octal (RFC 6943 section 3.1.1).
      guard part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let byte = UInt8(part),
        String(byte).count == part.utf8.count
      else { return nil }
      value = value &<< 8 | UInt32(byte)
    }
    return value
  }

  /// The eight 16-bit groups of IPv6 text.
  private static func parseIPv6Groups(_ text: String) -> [UInt16]? {
    // Only the very end may be written as IPv4 (RFC 4291 section 2.2).
    func groups(_ half: Substring, isEnd: Bool) -> [UInt16]? {
      if half.isEmpty { return [] }
      var result: [UInt16] = []
      let parts = half.split(separator: ":", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if isEnd, index == parts.count - 1, part.contains(".") {
          guard let ipv4 = parseIPv4(part) else { return nil }
          result.append(UInt16(truncatingIfNeeded: ipv4 &>> 16))
          result.append(UInt16(truncatingIfNeeded: ipv4))
        } else {
          guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) else {
            return nil
          }
          result.append(group)
        }
      }
      return result
    }
    guard let gap = text.firstRange(of: "::") else {
      guard let all = groups(text[...], isEnd: true), all.count == 8 else { return nil }
      return all
    }
    guard let head = groups(text[..<gap.lowerBound], isEnd: false),
      let tail = groups(text[gap.upperBound...], isEnd: true),
      head.count + tail.count <= 7
    else { return nil }
    return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }
}

extension TransportAddress: CustomStringConvertible {
  /// The value as a sentence or text for people.
  public var description: String {
    (family == .ipv4 ? "\(host):\(port)" : "[\(host)]:\(port)") + (transport == .tcp ? "/tcp" : "")
  }
}
