import MediaBase

/// What is told of troubles that end by themselves.
extension ConnectionCore {
  /// One change of address is noticed by the control socket and by the media path, not at the same time.
  private static let addressWarningInterval = MediaDuration.seconds(5 as Int64)

  mutating func warn(_ code: EngineWarningCode, _ message: String) { events.append(.warning(code, message: message)) }

  mutating func warnOfAddress(now: MediaInstant) {
    if let last = addressWarningTime, now - last < Self.addressWarningInterval { return }
    addressWarningTime = now
    warn(.connectionIPChanged, "This machine reaches the server from another address; the connection follows.")
  }

  /// A change of role waits for the server's answer, or does not any more.
  mutating func watchRole(now: MediaInstant) {
    guard case .joined = phase, wanted.role != confirmed.role else {
      roleDeadline = nil
      return
    }
    roleDeadline = roleDeadline ?? now + configuration.timing.joinTimeout
  }

  mutating func warnOfRoleIfDue(now: MediaInstant) {
    guard let roleDeadline, now >= roleDeadline else { return }
    self.roleDeadline = nil
    warn(.setClientRoleTimeout, "The server has not answered to the change of role yet; the engine goes on waiting.")
  }
}
