import Glibc
public import SecureChannel

/// AES-GCM by Intel's multi-buffer library (libIPSec_MB 1.x), which encrypts a packet in a quarter of libcrypto's time on
/// processors with vector AES. It is looked for when the program runs, so that nothing needs it.
public enum MultiBufferCrypto {
  /// What the library writes for a key is smaller, which `agrees(with:)` makes sure of.
  static let keyByteCount = 1_024
  private static let stateByteCount = 128
  private static let alignment = 64

  /// `other` with AES-GCM by the library; `nil` if it is not installed, the processor is not one that it is faster on, or it
  /// does not give what `other` gives.
  public static func provider(over other: CryptoProvider) -> CryptoProvider? {
    guard let library = MultiBufferLibrary.shared else { return nil }
    let provider = CryptoProvider(
      makeGCM: { key, _ in MultiBufferCrypto.make(key: key) }, freeGCM: { MultiBufferCrypto.free($0) },
      sealGCM: { context, nonce, associated, associatedLength, source, length, destination, tag in
        MultiBufferCrypto.seal(context, nonce, associated, associatedLength, source, length, destination, tag)
      },
      openGCM: { context, nonce, associated, associatedLength, source, length, destination, tag in
        MultiBufferCrypto.open(context, nonce, associated, associatedLength, source, length, destination, tag)
      },
      makeCounterMode: other.makeCounterMode, freeCounterMode: other.freeCounterMode,
      runCounterMode: other.runCounterMode, makeHMAC: other.makeHMAC, freeHMAC: other.freeHMAC,
      runHMAC: other.runHMAC, encryptBlock: other.encryptBlock, authenticateSHA1: other.authenticateSHA1,
      frames: other.frames)
    return staysInPlace(library) && agree(provider, other) ? provider : nil
  }

  // A context is the prepared key, the state of a run, and the two functions.

  private static let encryptOffset = keyByteCount + stateByteCount
  private static let decryptOffset = encryptOffset + MemoryLayout<MultiBufferLibrary.Run>.size
  private static let contextByteCount = decryptOffset + MemoryLayout<MultiBufferLibrary.Run>.size

  private static func make(key: UnsafePointer<UInt8>) -> UnsafeMutableRawPointer? {
    guard let library = MultiBufferLibrary.shared else { return nil }
    let context = UnsafeMutableRawPointer.allocate(byteCount: contextByteCount, alignment: alignment)
    context.initializeMemory(as: UInt8.self, repeating: 0, count: encryptOffset)
    library.prepare(key, context)
    (context + encryptOffset).initializeMemory(as: MultiBufferLibrary.Run.self, to: library.encrypt)
    (context + decryptOffset).initializeMemory(as: MultiBufferLibrary.Run.self, to: library.decrypt)
    return context
  }

  private static func free(_ context: UnsafeMutableRawPointer) {
    explicit_bzero(context, encryptOffset)
    context.deallocate()
  }

  private static func seal(
    _ context: UnsafeMutableRawPointer, _ nonce: UnsafePointer<UInt8>, _ associated: UnsafePointer<UInt8>,
    _ associatedLength: Int, _ source: UnsafePointer<UInt8>, _ length: Int,
    _ destination: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let count = UInt64(exactly: length), let associatedCount = UInt64(exactly: associatedLength) else {
      return false
    }
    let run = context.load(fromByteOffset: encryptOffset, as: MultiBufferLibrary.Run.self)
    run(context, context + keyByteCount, destination, source, count, nonce, associated, associatedCount, tag, 16)
    return true
  }

  private static func open(
    _ context: UnsafeMutableRawPointer, _ nonce: UnsafePointer<UInt8>, _ associated: UnsafePointer<UInt8>,
    _ associatedLength: Int, _ source: UnsafePointer<UInt8>, _ length: Int,
    _ destination: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let count = UInt64(exactly: length), let associatedCount = UInt64(exactly: associatedLength) else {
      return false
    }
    let run = context.load(fromByteOffset: decryptOffset, as: MultiBufferLibrary.Run.self)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { expected in
      guard let computed = expected.baseAddress else { return false }
      run(context, context + keyByteCount, destination, source, count, nonce, associated, associatedCount, computed, 16)
      // All bytes are compared, so that the time does not tell how many are right.
      var difference: UInt8 = 0
      for place in 0..<16 { difference |= computed[place] ^ tag[place] }
      return difference == 0
    }
  }
}
