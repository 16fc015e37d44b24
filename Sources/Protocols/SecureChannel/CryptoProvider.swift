/// The cryptographic primitives the protocols need, as plain C function pointers: a call costs one indirect jump and
/// no reference counting, and the protocol code does not depend on a library. All functions answer false on failure.
public struct CryptoProvider: Sendable {
  /// Makes a context for AES-128-GCM with a key of 16 bytes; true makes one that seals, false one that opens.
  /// Nil if the library cannot.
  public typealias MakeGCM =
    @convention(c) @Sendable (_ key: UnsafePointer<UInt8>, _ seals: Bool) -> UnsafeMutableRawPointer?
  /// Frees a context.
  public typealias FreeContext = @convention(c) @Sendable (_ context: UnsafeMutableRawPointer) -> Void
  /// Seals or opens `length` bytes from `source` to `destination`, which are the same or do not overlap. `nonce` has
  /// 12 bytes, `tag` 16: written by seal, compared by open.
  public typealias RunGCM =
    @convention(c) @Sendable (
      _ context: UnsafeMutableRawPointer, _ nonce: UnsafePointer<UInt8>,
      _ associated: UnsafePointer<UInt8>, _ associatedLength: Int,
      _ source: UnsafePointer<UInt8>, _ length: Int,
      _ destination: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
    ) -> Bool
  /// Makes a context for AES-128 in counter mode with a key of 16 bytes. Nil if the library cannot.
  public typealias MakeCounterMode =
    @convention(c) @Sendable (_ key: UnsafePointer<UInt8>) -> UnsafeMutableRawPointer?
  /// Encrypts or decrypts `length` bytes from `source` to `destination`, which are the same or do not overlap, with the
  /// keystream that begins at the counter block `counter` of 16 bytes.
  public typealias RunCounterMode =
    @convention(c) @Sendable (
      _ context: UnsafeMutableRawPointer, _ counter: UnsafePointer<UInt8>, _ source: UnsafePointer<UInt8>,
      _ length: Int, _ destination: UnsafeMutablePointer<UInt8>
    ) -> Bool
  /// Makes a context for HMAC-SHA1. Nil if the library cannot.
  public typealias MakeHMAC =
    @convention(c) @Sendable (_ key: UnsafePointer<UInt8>, _ keyLength: Int) -> UnsafeMutableRawPointer?
  /// HMAC-SHA1 of a message with a context's key; writes 20 bytes.
  public typealias RunHMAC =
    @convention(c) @Sendable (
      _ context: UnsafeMutableRawPointer, _ message: UnsafePointer<UInt8>, _ messageLength: Int,
      _ result: UnsafeMutablePointer<UInt8>
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

  /// Authenticates a message as HMAC-SHA256 (32 bytes) or HMAC-SHA512 (64). Not for the packet path.
  public typealias AuthenticateSHA2 =
    @convention(c) @Sendable (
      _ key: UnsafePointer<UInt8>, _ keyLength: Int, _ message: UnsafePointer<UInt8>, _ messageLength: Int,
      _ result: UnsafeMutablePointer<UInt8>
    ) -> Bool

  /// Makes an AES-128-GCM context.
  public let makeGCM: MakeGCM
  /// Frees an AES-128-GCM context.
  public let freeGCM: FreeContext
  /// Seals with a context made for sealing.
  public let sealGCM: RunGCM
  /// Opens with a context made for opening; false if the tag does not match, and then the output must not be used.
  public let openGCM: RunGCM
  /// Makes an AES-128 counter mode context.
  public let makeCounterMode: MakeCounterMode
  /// Frees an AES-128 counter mode context.
  public let freeCounterMode: FreeContext
  /// Encrypts or decrypts in counter mode.
  public let runCounterMode: RunCounterMode
  /// Makes an HMAC-SHA1 context.
  public let makeHMAC: MakeHMAC
  /// Frees an HMAC-SHA1 context.
  public let freeHMAC: FreeContext
  /// HMAC-SHA1 with a context, for packets.
  public let runHMAC: RunHMAC
  /// AES-128 of one block, for the key derivation.
  public let encryptBlock: EncryptBlock
  /// HMAC-SHA1 with any key, for STUN's MESSAGE-INTEGRITY.
  public let authenticateSHA1: AuthenticateSHA1
  /// What frames encrypted between the ends need beyond that.
  public let frames: FrameFunctions

  /// A provider of these functions.
  public init(
    makeGCM: MakeGCM, freeGCM: FreeContext, sealGCM: RunGCM, openGCM: RunGCM, makeCounterMode: MakeCounterMode,
    freeCounterMode: FreeContext, runCounterMode: RunCounterMode, makeHMAC: MakeHMAC, freeHMAC: FreeContext,
    runHMAC: RunHMAC, encryptBlock: EncryptBlock, authenticateSHA1: AuthenticateSHA1,
    frames: FrameFunctions
  ) {
    self.makeGCM = makeGCM
    self.freeGCM = freeGCM
    self.sealGCM = sealGCM
    self.openGCM = openGCM
    self.makeCounterMode = makeCounterMode
    self.freeCounterMode = freeCounterMode
    self.runCounterMode = runCounterMode
    self.makeHMAC = makeHMAC
    self.freeHMAC = freeHMAC
    self.runHMAC = runHMAC
    self.encryptBlock = encryptBlock
    self.authenticateSHA1 = authenticateSHA1
    self.frames = frames
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
