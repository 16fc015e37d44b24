public import MediaBase

/// Which path a lite agent takes.
extension ICEAgent {
  /// Takes the path that the peer already uses as chosen while it has nominated none (RFC 8445 section 12.1 lets data go
  /// before that). Browsers nominate with their second check only, some 50 ms after the first, but send at once.
  ///
  /// - Parameter source: an address that an authentic check has come from, and now something that a peer only sends after
  ///   the answer.
  public mutating func useBeforeNomination(_ source: TransportAddress, now: MediaInstant) {
    guard configuration.role == .lite, selectedRemoteAddress == nil else { return }
    lastConsent = now
    select(source, now: now)
  }

  /// Takes something else than a check for consent: the owner has made sure by other means that the peer is at `source`
  /// and wants to go on. Without effect for another address than the selected one.
  public mutating func refreshConsent(from source: TransportAddress, now: MediaInstant) {
    guard source == selectedRemoteAddress else { return }
    lastConsent = now
    lastHeard = now
  }

  /// Takes note of where authentic media came from. It is no consent, but says where the peer is: it follows there when
  /// the selected path is silent, though no check has nominated another.
  ///
  /// - Parameter source: an address that an authentic check has come from.
  public mutating func heardMedia(from source: TransportAddress, at time: MediaInstant) {
    guard configuration.role == .lite, let selected = selectedRemoteAddress else { return }
    if source == selected {
      lastHeard = time
    } else if isPathSilent(at: time), !staysWithDatagrams(rather: source, now: time) {
      select(source, now: time)
    }
  }

  /// The stream to this address has ended: nothing can be sent there any more. A check over another path may nominate
  /// that; without one, consent runs out as usual.
  public mutating func pathClosed(_ address: TransportAddress) {
    if selectedRemoteAddress == address { selectedRemoteAddress = nil }
  }

  /// A valid check has reached the lite agent.
  mutating func heardCheck(from source: TransportAddress, nominates: Bool, now: MediaInstant) {
    if source == selectedRemoteAddress {
      lastConsent = now
      lastHeard = now
    } else if nominates || isPathSilent(at: now), !staysWithDatagrams(rather: source, now: now) {
      lastConsent = now
      select(source, now: now)
    }
  }

  private mutating func select(_ address: TransportAddress, now: MediaInstant) {
    lastHeard = now
    events.append(selectedRemoteAddress == nil ? .connected(address) : .addressChanged(address))
    formerRemoteAddress = selectedRemoteAddress
    selectedRemoteAddress = address
  }

  /// After how long without check or media the selected path counts as left, so that the peer is followed to where it is heard,
  /// nominated or not. Agents whose checks for consent do not nominate (aiortc) would otherwise be answered there, and think
  /// that all is well, while media goes to the address that their NAT has given up. It is less than the least time between
  /// two such checks, 4 s (RFC 7675 section 5.1), so that the first from elsewhere is followed whatever else comes, and more
  /// than the time between reports, which those send who only receive: 0.5 to 1.5 s for aiortc.
  private static var longestSilence: MediaDuration { .milliseconds(2_000) }

  private func isPathSilent(at time: MediaInstant) -> Bool {
    guard selectedRemoteAddress != nil, let lastHeard else { return false }
    return time - lastHeard >= Self.longestSilence
  }

  /// How long a silent UDP path is preferred to a stream that is nominated too.
  private static var patienceWithDatagrams: MediaDuration { .milliseconds(3_000) }

  /// A client that nominates with every check nominates all paths that work. Of those UDP is chosen, since a lost packet on
  /// a stream holds up all behind it (RFC 6544 section 4.2).
  private func staysWithDatagrams(rather source: TransportAddress, now: MediaInstant) -> Bool {
    guard source.transport == .tcp, selectedRemoteAddress?.transport == .udp, let lastConsent else { return false }
    return now - lastConsent < Self.patienceWithDatagrams
  }
}
