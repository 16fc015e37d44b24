import COpenSSL
import Glibc
import MediaBase
import SecureChannel

/// One side of an association. OpenSSL measures the waits for its own retransmissions by the system's clock.
///
/// A server's OpenSSL object goes when the handshake is done, since it is large and there are many: `RecordKeys` and the
/// last flight are all that is needed from then on.
final class OpenSSLDTLSEndpoint: DTLSEndpoint {
  private(set) var state = DTLSState.handshaking
  private(set) var nextTimeout: MediaInstant?
  private var ssl: OpaquePointer?
  private let isClient: Bool
  /// In place of `ssl`, once it is gone.
  private var recordKeys: RecordKeys?
  /// A server's last flight, which the other side may ask for by repeating its own.
  private var lastFlight: [[UInt8]] = []
  private var lastFlightRepetitions = 0
  private let bio = DatagramBIO()
  private let remoteFingerprint: [UInt8]
  private let deadline: MediaInstant

  /// Datagrams of a handshake have no more bytes, so that any path takes them.
  private static let maximumDatagram = 1_200
  /// The first wait for an answer; each further one is twice as long.
  private static let firstWaitMicroseconds: UInt32 = 50_000
  private static let longestWaitMicroseconds: UInt32 = 2_000_000
  /// A handshake that takes longer has failed.
  private static let patience = MediaDuration.seconds(Int64(30))
  private static let exporterLabel = "EXTRACTOR-dtls_srtp"

  /// Values of macros that Swift does not see.
  private enum Control {
    static let setMTU: Int32 = 17
    static let getTimeout: Int32 = 73
    static let handleTimeout: Int32 = 74
  }

  init?(context: OpaquePointer, isClient: Bool, remoteFingerprint: [UInt8], now: MediaInstant) {
    guard let ssl = SSL_new(context) else { return nil }
    self.ssl = ssl
    self.isClient = isClient
    self.remoteFingerprint = remoteFingerprint
    deadline = now + Self.patience
    guard let pointer = bio.makeBIO() else { return nil }
    // One BIO for both directions; `ssl` owns it from now on.
    SSL_set_bio(ssl, pointer, pointer)
    SSL_ctrl(ssl, Control.setMTU, Self.maximumDatagram, nil)
    DTLS_set_timer_cb(ssl) { _, microseconds in
      microseconds == 0
        ? OpenSSLDTLSEndpoint.firstWaitMicroseconds
        : min(microseconds &* 2, OpenSSLDTLSEndpoint.longestWaitMicroseconds)
    }
    if isClient { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
    if isClient { advance(now: now) }
  }

  deinit { SSL_free(ssl) }

  /// How often the last flight is sent again at most.
  private static let maximumRepetitions = 32

  func receive(_ datagram: UnsafeRawBufferPointer, from unproved: TransportAddress?, now: MediaInstant) {
    switch state {
    case .handshaking:
      if let ssl, !isClient {
        _ =
          unproved == nil
          ? SSL_clear_options(ssl, OpenSSLDTLS.Control.cookieExchange)
          : SSL_set_options(ssl, OpenSSLDTLS.Control.cookieExchange)
      }
      bio.withIncoming(datagram, from: unproved) { advance(now: now) }
    case .established: ssl == nil ? readRecords(datagram) : bio.withIncoming(datagram, from: nil) { readOn() }
    case .failed, .closed: break
    }
  }

  var provedAddress: TransportAddress? { bio.cookies.proved }

  func pollTransmit() -> [UInt8]? { bio.takeOutgoing() }

  func close() {
    guard case .established = state else { return }
    if let ssl {
      ERR_clear_error()
      _ = SSL_shutdown(ssl)
    } else if let datagram = recordKeys?.makeCloseNotify() {
      bio.append(datagram)
    }
    state = .closed
  }

  func handleTimeout(now: MediaInstant) {
    guard let ssl, state == .handshaking, let due = nextTimeout, due <= now else { return }
    guard now < deadline else { return fail(.timeout) }
    // What still waits to be sent need not be sent again.
    guard bio.outgoing.isEmpty else {
      nextTimeout = now + .microseconds(Int64(Self.firstWaitMicroseconds))
      return
    }
    ERR_clear_error()
    if SSL_ctrl(ssl, Control.handleTimeout, 0, nil) < 0 { return fail(.timeout) }
    schedule(now: now)
  }

  private func advance(now: MediaInstant) {
    guard let ssl else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    if result == 1 { return finish(ssl) }
    let error = SSL_get_error(ssl, result)
    guard error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE else { return fail(.handshake) }
    schedule(now: now)
  }

  private func schedule(now: MediaInstant) {
    guard let ssl else { return }
    var left = timeval()
    let isRunning = SSL_ctrl(ssl, Control.getTimeout, 0, &left) == 1
    // Rounded up: OpenSSL does nothing a microsecond early.
    nextTimeout =
      isRunning
      ? now + .microseconds(Int64(left.tv_sec) &* 1_000_000 &+ Int64(left.tv_usec) &+ 1_000) : deadline
  }

  private func finish(_ ssl: OpaquePointer) {
    guard let certificate = SSL_get1_peer_certificate(ssl) else { return fail(.fingerprintMismatch) }
    defer { X509_free(certificate) }
    guard !remoteFingerprint.isEmpty, SelfSignedIdentity.fingerprint(of: certificate) == remoteFingerprint else {
      return fail(.fingerprintMismatch)
    }
    guard let selected = SSL_get_selected_srtp_profile(ssl),
      let profile = SRTPProtectionProfile(rawValue: UInt16(truncatingIfNeeded: selected.pointee.id))
    else { return fail(.noProtectionProfile) }
    var exported = [UInt8](repeating: 0, count: 2 * (16 + profile.saltByteCount))
    let label = Self.exporterLabel
    guard
      SSL_export_keying_material(ssl, &exported, exported.count, label, label.utf8.count, nil, 0, 0) == 1,
      let keys = DTLSKeys(profile: profile, exported: exported)
    else { return fail(.handshake) }
    nextTimeout = nil
    state = .established(keys)
    guard !isClient, let recordKeys = RecordKeys(ssl, isClient: false) else { return }
    self.recordKeys = recordKeys
    lastFlight = bio.outgoing
    SSL_free(ssl)
    self.ssl = nil
  }

  /// After the handshake, without OpenSSL's object.
  private func readRecords(_ datagram: UnsafeRawBufferPointer) {
    guard let content = recordKeys?.read(datagram) else { return }
    if content.isEnd { state = .closed }
    guard content.repeatsHandshake, lastFlightRepetitions < Self.maximumRepetitions, bio.outgoing.isEmpty else {
      return
    }
    lastFlightRepetitions += 1
    // The same records, which a receiver that has them already drops as replayed.
    for datagram in lastFlight { bio.append(datagram) }
  }

  /// After the handshake: answers a repeated last flight, notices the end. Data are nothing to us.
  private func readOn() {
    guard let ssl else { return }
    var scratch = [UInt8](repeating: 0, count: 2_048)
    ERR_clear_error()
    let result = SSL_read(ssl, &scratch, Int32(scratch.count))
    if result <= 0, SSL_get_error(ssl, result) == SSL_ERROR_ZERO_RETURN { state = .closed }
  }

  private func fail(_ failure: DTLSFailure) {
    // The other side is told by OpenSSL's alert, if there is one, which waits among the outgoing datagrams.
    state = .failed(failure)
    nextTimeout = nil
  }
}
