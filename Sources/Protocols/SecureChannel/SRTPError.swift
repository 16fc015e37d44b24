/// Why a packet could not be protected or unprotected.
public enum SRTPError: Error, Equatable, Sendable {
  /// Not a whole RTP or RTCP packet of version 2 with room for what must be there.
  case malformed
  /// The buffer has no room for the tag (and the SRTCP index).
  case noRoom
  /// The tag does not match: forged, damaged, of another key, or of an unknown rollover.
  case authenticationFailed
  /// Received before, or too old to tell (RFC 3711 section 3.3.2).
  case replayed
  /// This sequence number was sealed before, or is too old to tell. Sealing again would repeat a nonce, and that
  /// gives the key away (RFC 7714 section 8.4).
  case sequenceNumberReused
  /// An SRTCP packet whose E bit says it is not encrypted; Greenroom takes encrypted ones only.
  case unencrypted
  /// The table of SSRCs is full.
  case tooManyStreams
  /// The packet counter of this key has come to its end; a new key is needed (RFC 7714 section 8.4).
  case keyExhausted
  /// The cryptographic library could not do it.
  case cryptoFailed
}
