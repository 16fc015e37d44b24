public import MediaBase
import STUNWire

extension ICEAgent {
  /// What became of a STUN datagram.
  public enum Outcome: Hashable, Sendable {
    /// It was valid and has been taken into account.
    case accepted
    /// Not a STUN message, or damaged.
    case malformed
    /// Not protected with the right password, or not for this agent.
    case unauthenticated
    /// A binding indication, which nobody answers and nothing protects.
    case alive
    /// An answer that nobody waits for, or something else without effect.
    case ignored
  }

  /// Takes a STUN datagram. Nothing that is not protected with the right password has any effect or gets an answer.
  @discardableResult
  public mutating func receive(_ datagram: RawSpan, from source: TransportAddress, now: MediaInstant) -> Outcome {
    guard let message = try? STUNMessage(parsing: datagram) else { return .malformed }
    guard message.method == STUNMessage.bindingMethod else { return .ignored }
    // Every ICE message ends with one (RFC 8445 section 7.1).
    guard message.hasFingerprint else { return .unauthenticated }
    switch message.messageClass {
    case .request: return answer(message, datagram, source, now)
    case .successResponse: return accept(message, datagram, source, now)
    case .indication: return .alive
    case .errorResponse: return .ignored
    }
  }

  /// The user name fragment of the receiver in a check's USERNAME, without verifying anything: how a server finds the
  /// agent that a first datagram is for. `nil` if the datagram is not a STUN request with a USERNAME of two parts.
  public static func receiverUsernameFragment(of datagram: RawSpan) -> String? {
    STUNMessage.receiverUsernameFragment(in: datagram).map { range in
      datagram.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  private mutating func answer(
    _ request: STUNMessage, _ datagram: RawSpan, _ source: TransportAddress, _ now: MediaInstant
  ) -> Outcome {
    guard let local = credentials(for: request, datagram),
      request.verifyIntegrity(of: datagram, password: local.password, hmacSHA1: hmacSHA1)
    else { return .unauthenticated }
    guard answers.count < Self.answerLimit else { return .ignored }
    if !request.unknownRequiredAttributes.isEmpty {
      refuse(request, source, .unknownAttribute, local)
      return .ignored
    }
    guard !hasRoleConflict(request) else {
      refuse(request, source, .roleConflict, local)
      return .ignored
    }
    var response = takeBuilder(.successResponse, request.transactionID)
    response.add(xorMappedAddress: source)
    finish(&response, to: source, local)
    guard configuration.role == .lite else { return .accepted }
    let isCopy = !seenChecks.insert(request.transactionID)
    guard !isCopy || source == formerRemoteAddress else { return .ignored }
    if request.useCandidate, local == configuration.localCredentials { replaced = nil }
    heardCheck(from: source, nominates: request.useCandidate, now: now)
    if isCopy { formerRemoteAddress = nil }
    return .accepted
  }

  /// Which of our credentials a check uses (RFC 8445 section 7.3): the first part of its user name is ours; the second is
  /// the sender's, where it is known.
  private func credentials(for request: STUNMessage, _ datagram: RawSpan) -> ICECredentials? {
    func fits(_ local: ICECredentials, _ remote: ICECredentials?) -> Bool {
      request.isUsername(local.usernameFragment, remote?.usernameFragment, in: datagram)
    }
    if fits(configuration.localCredentials, configuration.remoteCredentials) { return configuration.localCredentials }
    guard let replaced, fits(replaced.local, replaced.remote) else { return nil }
    return replaced.local
  }

  /// Two controlling agents, or none (RFC 8445 section 7.3.1.1). The lite side never becomes controlling, so the other has
  /// to give way, and the controlling one insists, since it knows that it talks to a lite server.
  private func hasRoleConflict(_ request: STUNMessage) -> Bool {
    switch configuration.role {
    case .lite: request.iceControlled != nil
    case .controlling: request.iceControlling != nil
    }
  }

  private mutating func refuse(
    _ request: STUNMessage, _ source: TransportAddress, _ code: STUNErrorCode, _ local: ICECredentials
  ) {
    var response = takeBuilder(.errorResponse, request.transactionID)
    response.add(errorCode: code)
    if !request.unknownRequiredAttributes.isEmpty { response.add(unknownAttributes: request.unknownRequiredAttributes) }
    finish(&response, to: source, local)
  }

  /// Starts an answer, in the memory of the one before if that has gone.
  private mutating func takeBuilder(
    _ messageClass: STUNMessageClass, _ transactionID: STUNTransactionID
  ) -> STUNMessageBuilder {
    guard var builder = sentAnswer.take() else {
      return STUNMessageBuilder(messageClass, transactionID: transactionID)
    }
    builder.restart(messageClass, transactionID: transactionID)
    return builder
  }

  private mutating func finish(
    _ response: inout STUNMessageBuilder, to source: TransportAddress, _ local: ICECredentials
  ) {
    response.addMessageIntegrity(password: local.password, hmacSHA1: hmacSHA1)
    response.addFingerprint()
    answers.append((source, response))
  }

  /// An answer to one of the controlling agent's checks; it must come from where the check went (RFC 8445 section 7.2.5.2.1).
  private mutating func accept(
    _ response: STUNMessage, _ datagram: RawSpan, _ source: TransportAddress, _ now: MediaInstant
  ) -> Outcome {
    guard
      let index = checks.firstIndex(where: {
        $0.address == source && $0.outstanding.contains(response.transactionID)
      }), let remote = configuration.remoteCredentials
    else { return .ignored }
    guard response.verifyIntegrity(of: datagram, password: remote.password, hmacSHA1: hmacSHA1) else {
      return .unauthenticated
    }
    checks[index].outstanding.removeAll { $0 == response.transactionID }
    if selectedRemoteAddress == nil {
      selectedRemoteAddress = source
      events.append(.connected(source))
    }
    guard source == selectedRemoteAddress else { return .accepted }
    lastConsent = now
    checks[index].outstanding.removeAll()
    checks[index].wait = configuration.timing.firstRetransmission
    checks[index].nextCheck = now + consentDelay()
    return .accepted
  }

  private mutating func consentDelay() -> MediaDuration {
    let interval = Double(configuration.timing.consentInterval.nanoseconds)
    return MediaDuration(nanoseconds: Int64(interval * Double.random(in: 0.8...1.2, using: &random)))
  }
}
