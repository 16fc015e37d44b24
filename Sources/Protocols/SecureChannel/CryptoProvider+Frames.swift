extension CryptoProvider {
  /// AES-GCM of one key length: contexts, and the functions that run them.
  public struct GCM: Sendable {
    /// Makes a context.
    public let make: MakeGCM
    /// Frees a context.
    public let free: FreeContext
    /// Seals with a context made for sealing.
    public let seal: RunGCM
    /// Opens with a context made for opening; false if the tag does not match.
    public let open: RunGCM

    /// Functions that belong together.
    public init(make: MakeGCM, free: FreeContext, seal: RunGCM, open: RunGCM) {
      self.make = make
      self.free = free
      self.seal = seal
      self.open = open
    }
  }

  /// What frames encrypted between the ends (RFC 9605) need beyond what packets do.
  public struct FrameFunctions: Sendable {
    /// AES-256-GCM, with keys of 32 bytes.
    public let gcm256: GCM
    /// HMAC-SHA256 with any key, for key derivation (RFC 5869).
    public let authenticateSHA256: AuthenticateSHA2
    /// HMAC-SHA512 with any key, for key derivation (RFC 5869).
    public let authenticateSHA512: AuthenticateSHA2

    /// These functions.
    public init(gcm256: GCM, authenticateSHA256: AuthenticateSHA2, authenticateSHA512: AuthenticateSHA2) {
      self.gcm256 = gcm256
      self.authenticateSHA256 = authenticateSHA256
      self.authenticateSHA512 = authenticateSHA512
    }
  }

  /// AES-128-GCM.
  public var gcm128: GCM { GCM(make: makeGCM, free: freeGCM, seal: sealGCM, open: openGCM) }
}
