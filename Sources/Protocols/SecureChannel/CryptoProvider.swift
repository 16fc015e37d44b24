/// The cryptographic primitives the protocols need, as plain C function pointers: a call costs one indirect jump and
/// no reference counting, and the protocol code does not depend on a library. All functions answer false on failure.
public struct CryptoProvider: Sendable {
  /// Makes a context for AES-128-GCM with a key of 16 bytes; true makes one that seals, false one that opens.
  /// Nil if the library cannot.
  public typealias MakeGCM =
    @convention(c) @Sendable (_ key: UnsafePointer<UInt8>, _ seals: Bool) -> UnsafeMutableRawPointer?
  /// Frees a context made by `MakeGCM`.
  public typealias FreeGCM = @convention(c) @Sendable (_ context: UnsafeMutableRawPointer) -> Void
  /// Seals or opens `length` bytes from `source` to `destination`, which are the same or do not overlap. `nonce` has
  /// 12 bytes, `tag` 16: written by seal, compared by open.
  public typealias RunGCM =
    @convention(c) @Sendable (
      _ context: UnsafeMutableRawPointer, _ nonce: UnsafePointer<UInt8>,
      _ associated: UnsafePointer<UInt8>, _ associatedLength: Int,
      _ source: UnsafePointer<UInt8>, _ length: Int,
      _ destination: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
    ) -> Bool
  /// Encrypts one block of 16 bytes with AES-128 (a key of 16 bytes). Not for the packet path.
  public typealias EncryptBlock =
    @convention(c) @Sendable (
      _ key: UnsafePointer<UInt8>, _ block: UnsafePointer<UInt8>, _ result: UnsafeMutablePointer<UInt8>
    ) -> Bool
  /// HMAC-SHA1 of a message; writes 20 bytes.
  public typealias AuthenticateSHA1 =
    @convention(c) @Sendable (
      _ key: UnsafePointer<UInt8>, _ keyLength: Int, _ message: UnsafePointer<UInt8>, _ messageLength: Int,
      _ result: UnsafeMutablePointer<UInt8>
    ) -> Bool

  /// Makes an AES-128-GCM context.
  public let makeGCM: MakeGCM
  /// Frees an AES-128-GCM context.
  public let freeGCM: FreeGCM
  /// Seals with a context made for sealing.
  public let sealGCM: RunGCM
  /// Opens with a context made for opening; false if the tag does not match, and then the output must not be used.
  public let openGCM: RunGCM
  /// AES-128 of one block, for the key derivation.
  public let encryptBlock: EncryptBlock
  /// HMAC-SHA1, for STUN's MESSAGE-INTEGRITY.
  public let authenticateSHA1: AuthenticateSHA1

  /// A provider of these functions.
  public init(
    makeGCM: MakeGCM, freeGCM: FreeGCM, sealGCM: RunGCM, openGCM: RunGCM, encryptBlock: EncryptBlock,
    authenticateSHA1: AuthenticateSHA1
  ) {
    self.makeGCM = makeGCM
    self.freeGCM = freeGCM
    self.sealGCM = sealGCM
    self.openGCM = openGCM
    self.encryptBlock = encryptBlock
    self.authenticateSHA1 = authenticateSHA1
  }

  /// HMAC-SHA1 of `message`: 20 bytes, or nil if the library failed. Copies; for messages that are few.
  public func hmacSHA1(key: [UInt8], message: [UInt8]) -> [UInt8]? {
    // An empty array may have no address.
    let paddedKey = key + [0]
    let paddedMessage = message + [0]
    var result = [UInt8](repeating: 0, count: 20)
    let done = authenticateSHA1(paddedKey, key.count, paddedMessage, message.count, &result)
    return done ? result : nil
  }
}
