import MediaBase

/// How much of a handshake may be sent to an address that nothing has proved yet: as much as has come of it from there. Who
/// knows valid credentials could otherwise send handshakes to somebody else by writing that address on a check.
struct AddressCredit {
  private var address: TransportAddress?
  private var byteCount = 0

  /// Bytes have come from the address that handshakes go to.
  mutating func received(_ count: Int, from source: TransportAddress) {
    if address != source {
      address = source
      byteCount = 0
    }
    byteCount += count
  }

  /// Takes as much for a datagram; false if there is not enough.
  mutating func take(_ count: Int, for destination: TransportAddress) -> Bool {
    guard destination == address, count <= byteCount else { return false }
    byteCount -= count
    return true
  }
}
