import MediaBase

/// Whether another device may take the default's place while that cannot be opened.
///
/// If the default is a card, at once. If it is a sound server, that may be starting anew, which takes some seconds: a card
/// taken meanwhile would be missing there, and sound would be somewhere else than the user has chosen.
struct ServerPatience {
  private static let patience = MediaDuration.seconds(10)
  private var isServer = false
  private var end: MediaInstant?

  /// A device has been opened.
  mutating func noteOpened(isServer: Bool) {
    self.isServer = isServer
    end = nil
  }

  /// Whether any card will do; asked whenever a device is to be opened, the first time as soon as the last one is lost.
  mutating func mayReplace(_ now: MediaInstant) -> Bool {
    guard isServer else { return true }
    let end = self.end ?? now + Self.patience
    self.end = end
    return now >= end
  }
}
