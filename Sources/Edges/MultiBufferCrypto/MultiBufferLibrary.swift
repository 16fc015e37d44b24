import Glibc

/// The functions of libIPSec_MB for AES-128-GCM that this processor can run, fastest first; found when first asked for.
struct MultiBufferLibrary: Sendable {
  /// Fills the memory of a key.
  typealias Prepare = @convention(c) @Sendable (_ key: UnsafeRawPointer, _ prepared: UnsafeMutableRawPointer) -> Void
  /// Encrypts or decrypts, and writes the tag. Cannot fail.
  typealias Run =
    @convention(c) @Sendable (
      _ key: UnsafeRawPointer, _ state: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<UInt8>,
      _ input: UnsafePointer<UInt8>, _ byteCount: UInt64, _ nonce: UnsafePointer<UInt8>,
      _ associated: UnsafePointer<UInt8>, _ associatedByteCount: UInt64, _ tag: UnsafeMutablePointer<UInt8>,
      _ tagByteCount: UInt64
    ) -> Void

  let prepare: Prepare
  let encrypt: Run
  let decrypt: Run

  /// `nil` if the library is not installed, or the processor is not one that it is faster on.
  static let shared: MultiBufferLibrary? = {
    // Stays loaded.
    guard let handle = dlopen("libIPSec_MB.so.1", RTLD_NOW | RTLD_LOCAL), let features = features(of: handle) else {
      return nil
    }
    for (needed, suffix) in [(vectorFeatures, "vaes_avx512"), (plainFeatures, "avx_gen4")]
    where features & needed == needed {
      if let prepare = dlsym(handle, "aes_gcm_pre_128_\(suffix)"),
        let encrypt = dlsym(handle, "aes_gcm_enc_128_\(suffix)"),
        let decrypt = dlsym(handle, "aes_gcm_dec_128_\(suffix)")
      {
        return MultiBufferLibrary(
          prepare: unsafeBitCast(prepare, to: Prepare.self), encrypt: unsafeBitCast(encrypt, to: Run.self),
          decrypt: unsafeBitCast(decrypt, to: Run.self))
      }
    }
    return nil
  }()

  // Bits of its `imb_get_feature_flags()`.
  private static let aes: UInt64 = 1 << 1
  private static let carrylessMultiplication: UInt64 = 1 << 2
  private static let avx2: UInt64 = 1 << 6
  private static let avx512: UInt64 = 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11
  private static let vectorAES: UInt64 = 1 << 12
  private static let vectorMultiplication: UInt64 = 1 << 13
  private static let plainFeatures = aes | carrylessMultiplication | avx2
  private static let vectorFeatures = plainFeatures | avx512 | vectorAES | vectorMultiplication

  /// What the processor can do, by the library's own count, which is made with a manager only.
  private static func features(of handle: UnsafeMutableRawPointer) -> UInt64? {
    guard let allocate = dlsym(handle, "alloc_mb_mgr"), let free = dlsym(handle, "free_mb_mgr"),
      let get = dlsym(handle, "imb_get_feature_flags")
    else { return nil }
    typealias Allocate = @convention(c) (UInt64) -> UnsafeMutableRawPointer?
    typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void
    typealias Get = @convention(c) () -> UInt64
    guard let manager = unsafeBitCast(allocate, to: Allocate.self)(0) else { return nil }
    defer { unsafeBitCast(free, to: Free.self)(manager) }
    return unsafeBitCast(get, to: Get.self)()
  }
}
