import MediaBase

/// How much may be sent to an address before it has proved that who has the credentials is really there: three times what
/// has come from it, as QUIC has it (RFC 9000 section 8.1). Who knows valid credentials could otherwise send handshakes to
/// somebody else by writing that address on a check.
struct AddressCredit {
  private static let factor = 3

  private var address: TransportAddress?
  private var byteCount = 0

  /// Bytes have come from the address that handshakes go to.
  mutating func received(_ count: Int, from source: TransportAddress) {
    if address != source {
      address = source
      byteCount = 0
    }
    byteCount += Self.factor * count
  }

  /// Takes as much for a datagram; false if there is not enough. A TCP connection is proof enough.
  mutating func take(_ count: Int, for destination: TransportAddress) -> Bool {
    if destination.transport == .tcp { return true }
    guard destination == address, count <= byteCount else { return false }
    byteCount -= count
    return true
  }
}
