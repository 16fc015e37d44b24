/// Computes HMAC-SHA1 of `message` under `key` into the 20 bytes of `digest`; given by the crypto provider. Answers whether
/// it could.
public typealias STUNHMACSHA1 = (
  _ key: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawBufferPointer
) -> Bool

/// The bytes of MESSAGE-INTEGRITY.
let messageIntegrityByteCount = 20

/// Writes the HMAC-SHA1 of `message` under the UTF-8 bytes of `password` (short-term credentials) into the 20 bytes of
/// `digest`; `false` if it could not be computed.
func computeMessageIntegrity(
  of message: UnsafeRawBufferPointer, password: String, into digest: UnsafeMutableRawBufferPointer,
  hmacSHA1: STUNHMACSHA1
) -> Bool {
  // Passwords are longer than what strings keep in place: their bytes lie in memory of their own already.
  var key = password
  return key.withUTF8 { hmacSHA1(UnsafeRawBufferPointer($0), message, digest) }
}
