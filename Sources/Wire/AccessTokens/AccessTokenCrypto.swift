/// What tokens need of libraries.
public struct AccessTokenCrypto: Sendable {
  /// HMAC-SHA256 of a message under a key: 32 bytes; nil if it cannot be made.
  public var hmacSHA256: @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]?
  /// To zlib's format (RFC 1950).
  public var compress: @Sendable ([UInt8]) -> [UInt8]?
  /// From zlib's format; nil for what is not that, or longer than the limit.
  public var decompress: @Sendable (_ bytes: [UInt8], _ limit: Int) -> [UInt8]?

  /// Takes the functions.
  public init(
    hmacSHA256: @escaping @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]?,
    compress: @escaping @Sendable ([UInt8]) -> [UInt8]?,
    decompress: @escaping @Sendable (_ bytes: [UInt8], _ limit: Int) -> [UInt8]?
  ) {
    self.hmacSHA256 = hmacSHA256
    self.compress = compress
    self.decompress = decompress
  }
}
