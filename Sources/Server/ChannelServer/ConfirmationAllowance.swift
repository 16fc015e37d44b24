/// How many confirmations a connection may send that count nothing: as many as it has been sent texts to confirm. Others have
/// paid for those, and must not be able to use up what this client may send.
struct ConfirmationAllowance {
  /// Texts that the client has been sent and is to confirm.
  private var unconfirmedCount = 0

  /// More than may wait for one user.
  private static let unconfirmedLimit = 4_096

  /// Bytes within which a confirmation stays.
  static let byteCount = 64

  /// The client has been sent a text that it is to confirm.
  mutating func awaitConfirmation() { unconfirmedCount = min(unconfirmedCount + 1, Self.unconfirmedLimit) }

  /// Takes a confirmation.
  mutating func takeConfirmation() { unconfirmedCount = max(0, unconfirmedCount - 1) }

  /// Whether there is a text to be confirmed.
  var awaitsConfirmation: Bool { unconfirmedCount > 0 }
}
