/// The hash of a certificate (RFC 8122 section 5).
public struct SDPFingerprint: Hashable, Sendable {
  /// The hash function's name in lower case: `sha-256`.
  public var hashFunction: String
  /// The hash.
  public var bytes: [UInt8]

  /// Makes a fingerprint.
  public init(hashFunction: String, bytes: [UInt8]) {
    self.hashFunction = hashFunction
    self.bytes = bytes
  }

  /// Takes `sha-256 AB:CD:...`; `nil` for anything else.
  public init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    var bytes: [UInt8] = []
    for pair in words[1].split(separator: ":", omittingEmptySubsequences: false) {
      guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    self.init(hashFunction: words[0].lowercased(), bytes: bytes)
  }

  /// `sha-256 AB:CD:...`.
  public var value: String {
    let digits = Array("0123456789ABCDEF")
    return hashFunction + " "
      + bytes.map { String([digits[Int($0 >> 4)], digits[Int($0 & 15)]]) }.joined(separator: ":")
  }
}
