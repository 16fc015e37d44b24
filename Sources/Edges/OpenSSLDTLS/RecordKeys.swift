import COpenSSL

/// What is kept of an association after its handshake, in place of OpenSSL's object of some 60 KiB: the keys of DTLS's own
/// records, by which the end of the association is read and told (RFC 5246 section 6.3, RFC 5288 section 3, RFC 6347
/// section 4.1).
struct RecordKeys {
  private let readKey: [UInt8]
  private let readSalt: [UInt8]
  private let writeKey: [UInt8]
  private let writeSalt: [UInt8]

  private static let headerLength = 13
  private static let nonceLength = 8
  private static let tagLength = 16
  private static let alert: UInt8 = 21
  /// A warning, close_notify.
  private static let closeNotify: [UInt8] = [1, 0]
  /// Above all that the handshake's records have used.
  private static let ownSequenceNumber: UInt64 = 1 << 32

  /// Derives the keys of a finished handshake; `nil` for a cipher suite other than
  /// TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256.
  init?(_ ssl: OpaquePointer, isClient: Bool) {
    guard let cipher = SSL_get_current_cipher(ssl), SSL_CIPHER_get_protocol_id(cipher) == 0xC02B,
      let session = SSL_get_session(ssl)
    else { return nil }
    var secret = [UInt8](repeating: 0, count: 48)
    var seed = Array("key expansion".utf8) + [UInt8](repeating: 0, count: 64)
    defer { OPENSSL_cleanse(&secret, secret.count) }
    let label = seed.count - 64
    guard SSL_SESSION_get_master_key(session, &secret, secret.count) == secret.count else { return nil }
    let isComplete = seed.withUnsafeMutableBufferPointer { seed in
      guard let base = seed.baseAddress else { return false }
      return SSL_get_server_random(ssl, base + label, 32) == 32
        && SSL_get_client_random(ssl, base + label + 32, 32) == 32
    }
    guard isComplete, let block = Self.expand(secret, seed, count: 40) else { return nil }
    let (clientKey, serverKey) = (Array(block[0..<16]), Array(block[16..<32]))
    let (clientSalt, serverSalt) = (Array(block[32..<36]), Array(block[36..<40]))
    (readKey, readSalt) = isClient ? (serverKey, serverSalt) : (clientKey, clientSalt)
    (writeKey, writeSalt) = isClient ? (clientKey, clientSalt) : (serverKey, serverSalt)
  }

  /// P_SHA256 (RFC 5246 section 5).
  private static func expand(_ secret: [UInt8], _ seed: [UInt8], count: Int) -> [UInt8]? {
    func hash(_ message: [UInt8]) -> [UInt8]? {
      var digest = [UInt8](repeating: 0, count: 32)
      let result = HMAC(EVP_sha256(), secret, Int32(secret.count), message, message.count, &digest, nil)
      return result == nil ? nil : digest
    }
    var output: [UInt8] = []
    var link = seed
    while output.count < count {
      guard let next = hash(link), let part = hash(next + seed) else { return nil }
      link = next
      output += part
    }
    return Array(output.prefix(count))
  }

  /// What a datagram says after the handshake.
  struct Content {
    /// The other side has ended the association, authentically.
    var isEnd = false
    /// It has an encrypted handshake message: the last flight has not reached the other side.
    var repeatsHandshake = false
  }

  /// Looks at the records of a datagram. Nothing but an authentic close_notify ends an association.
  func read(_ datagram: UnsafeRawBufferPointer) -> Content {
    var content = Content()
    var rest = datagram[...]
    while rest.count >= Self.headerLength {
      let start = rest.startIndex
      let length = Int(rest[start + 11]) << 8 | Int(rest[start + 12])
      guard rest.count >= Self.headerLength + length else { break }
      let record = Array(rest.prefix(Self.headerLength + length))
      rest = rest.dropFirst(record.count)
      guard record[3] == 0, record[4] == 1 else { continue }
      if record[0] == 22 { content.repeatsHandshake = true }
      if record[0] == Self.alert, open(record) == Self.closeNotify { content.isEnd = true }
    }
    return content
  }

  /// A datagram that ends the association; `nil` if the library cannot.
  func makeCloseNotify() -> [UInt8]? {
    let number = (0..<8).map { UInt8(truncatingIfNeeded: Self.sequence &>> UInt64(56 - 8 * $0)) }
    let length = Self.nonceLength + Self.closeNotify.count + Self.tagLength
    let header = [Self.alert, 0xFE, 0xFD] + number + [0, UInt8(length)]
    guard let sealed = run(writeKey, writeSalt + number, header, Self.closeNotify, tag: nil) else { return nil }
    return header + number + sealed
  }

  /// Epoch 1 and the number.
  private static var sequence: UInt64 { 1 &<< 48 | ownSequenceNumber }

  private func open(_ record: [UInt8]) -> [UInt8]? {
    let text = Self.headerLength + Self.nonceLength
    guard record.count >= text + Self.tagLength else { return nil }
    return run(
      readKey, readSalt + record[Self.headerLength..<text], Array(record[..<Self.headerLength]),
      Array(record[text..<record.count - Self.tagLength]), tag: Array(record.suffix(Self.tagLength)))
  }

  /// Opens what `tag` authenticates, or seals, with the tag behind the text.
  private func run(_ key: [UInt8], _ nonce: [UInt8], _ header: [UInt8], _ input: [UInt8], tag: [UInt8]?) -> [UInt8]? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    // Epoch and number, type, version, and the length of the text.
    let associated = Array(header[3..<11]) + header[..<3] + [UInt8(input.count >> 8), UInt8(input.count & 0xFF)]
    var output = [UInt8](repeating: 0, count: input.count + Self.tagLength)
    var written: Int32 = 0
    guard EVP_CipherInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce, tag == nil ? 1 : 0) == 1 else { return nil }
    if var tag, EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) != 1 { return nil }
    guard EVP_CipherUpdate(context, nil, &written, associated, Int32(associated.count)) == 1,
      input.isEmpty || EVP_CipherUpdate(context, &output, &written, input, Int32(input.count)) == 1
    else { return nil }
    var final = [UInt8](repeating: 0, count: 16)
    guard EVP_CipherFinal_ex(context, &final, &written) == 1 else { return nil }
    guard tag == nil else { return Array(output.prefix(input.count)) }
    var made = [UInt8](repeating: 0, count: Self.tagLength)
    guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(made.count), &made) == 1 else { return nil }
    return output.prefix(input.count) + made
  }
}
