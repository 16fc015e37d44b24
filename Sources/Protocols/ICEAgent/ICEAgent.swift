public import MediaBase
import STUNWire

/// Finds and keeps the path to one peer (RFC 8445), with consent to send (RFC 7675), for one component and one socket.
///
/// A controlling agent checks all candidates at once and nominates with every check, so that the path is open after one
/// round trip; the first candidate that answers is chosen, and another only when it has fallen silent. A lite agent answers
/// checks and takes the address of the newest valid nominating check, or of any if the chosen one has fallen silent.
public struct ICEAgent: SansIOStateMachine, Sendable {
  var configuration: ICEConfiguration
  /// What counted before a restart, until the new credentials have been used.
  var replaced: (local: ICECredentials, remote: ICECredentials?)?
  let hmacSHA1: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
  var random: SeededRandom
  let tieBreaker: UInt64
  var checks: [CandidateCheck] = []
  var answers: [(address: TransportAddress, message: STUNMessageBuilder)] = []
  /// The last answer that was sent, for its memory.
  var sentAnswer: STUNMessageBuilder?
  var events: [ICEEvent] = []
  var lastConsent: MediaInstant?
  /// When a lite agent has heard anything authentic from the selected address, as far as its owner has told.
  var lastHeard: MediaInstant?
  /// Of a lite agent.
  var seenChecks = SeenChecks()
  /// Where the path was before it moved last: a copy from elsewhere that came first does not keep the peer out.
  var formerRemoteAddress: TransportAddress?

  /// Where datagrams go; `nil` while there is no path.
  public internal(set) var selectedRemoteAddress: TransportAddress?

  /// Answers that wait to be sent, at most; more checks in one turn are a flood.
  static let answerLimit = 16

  /// Makes an agent; a controlling one has its first checks ready.
  public init(
    configuration: ICEConfiguration,
    hmacSHA1:
      @escaping @Sendable (
        UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer
      ) -> Bool, now: MediaInstant
  ) {
    self.configuration = configuration
    self.hmacSHA1 = hmacSHA1
    random = SeededRandom(seed: configuration.seed)
    tieBreaker = random.next()
    guard configuration.role == .controlling else { return }
    for address in configuration.remoteCandidates where !checks.contains(where: { $0.address == address }) {
      checks.append(CandidateCheck(address: address, now: now, timing: configuration.timing))
    }
  }

  /// New credentials for a lite agent (RFC 8445 section 9). The path stays until a check with them nominates one; until
  /// then those from before are good too.
  public mutating func restart(localCredentials: ICECredentials, remoteCredentials: ICECredentials) {
    guard configuration.role == .lite else { return }
    replaced = (configuration.localCredentials, configuration.remoteCredentials)
    configuration.localCredentials = localCredentials
    configuration.remoteCredentials = remoteCredentials
  }

  /// The next event.
  public mutating func pollEvent() -> ICEEvent? { events.isEmpty ? nil : events.removeFirst() }

  /// When `handleTimeout(now:)` wants to be called.
  public var nextTimeout: MediaInstant? {
    var earliest = lastConsent.map { $0 + configuration.timing.consentTimeout }
    for check in checks where selectedRemoteAddress == nil || check.address == selectedRemoteAddress {
      earliest = .earliest(earliest, check.nextCheck)
    }
    return earliest
  }

  /// Notices lost consent. Checks that are due come out of `pollTransmit(into:now:)`.
  public mutating func handleTimeout(now: MediaInstant) {
    guard let consent = lastConsent, now >= consent + configuration.timing.consentTimeout else { return }
    lastConsent = nil
    selectedRemoteAddress = nil
    events.append(.disconnected)
    for index in checks.indices {
      checks[index].nextCheck = now
      checks[index].wait = configuration.timing.firstRetransmission
    }
  }

  /// Appends the next STUN message to `output`; where it goes, or `nil` if there is none.
  @_lifetime(output: copy output)
  public mutating func pollTransmit(into output: inout OutputRawSpan, now: MediaInstant) -> TransportAddress? {
    while !answers.isEmpty {
      let answer = answers.removeFirst()
      let isWritten = answer.message.write(into: &output)
      sentAnswer = answer.message
      if isWritten { return answer.address }
    }
    guard configuration.role == .controlling else { return nil }
    for index in checks.indices {
      guard checks[index].nextCheck <= now,
        selectedRemoteAddress == nil || checks[index].address == selectedRemoteAddress
      else { continue }
      guard let request = makeCheck() else { return nil }
      checks[index].sent(request.id)
      scheduleNext(index, now: now)
      if request.message.write(into: &output) { return checks[index].address }
    }
    return nil
  }

  /// Makes a check of the path due at once, so that the peer learns soon where this side is now.
  public mutating func checkNow(now: MediaInstant) {
    for index in checks.indices where selectedRemoteAddress == nil || checks[index].address == selectedRemoteAddress {
      checks[index].nextCheck = now
      checks[index].wait = configuration.timing.firstRetransmission
    }
  }

  private mutating func scheduleNext(_ index: Int, now: MediaInstant) {
    let timing = configuration.timing
    if selectedRemoteAddress == checks[index].address, isConsentFresh(now) {
      checks[index].nextCheck = now + jittered(timing.consentInterval)
      checks[index].wait = timing.firstRetransmission
    } else {
      checks[index].nextCheck = now + checks[index].wait
      checks[index].wait = min(checks[index].wait * 2, timing.longestRetransmission)
    }
  }

  /// Whether the last answer came so recently that the next check can wait for its normal time.
  private func isConsentFresh(_ now: MediaInstant) -> Bool {
    guard let lastConsent else { return false }
    return now - lastConsent <= configuration.timing.consentInterval * 2
  }

  private mutating func jittered(_ interval: MediaDuration) -> MediaDuration {
    MediaDuration(nanoseconds: Int64(Double(interval.nanoseconds) * Double.random(in: 0.8...1.2, using: &random)))
  }

  private mutating func makeCheck() -> (id: STUNTransactionID, message: STUNMessageBuilder)? {
    guard let remote = configuration.remoteCredentials else { return nil }
    let id = STUNTransactionID(high: UInt32(truncatingIfNeeded: random.next()), low: random.next())
    var message = STUNMessageBuilder(.request, transactionID: id)
    message.add(username: remote.usernameFragment + ":" + configuration.localCredentials.usernameFragment)
    message.add(priority: Self.hostPriority)
    message.add(iceControlling: tieBreaker)
    message.addUseCandidate()
    message.addMessageIntegrity(password: remote.password, hmacSHA1: hmacSHA1)
    message.addFingerprint()
    return (id, message)
  }

  /// The priority of a peer-reflexive candidate of the only component (RFC 8445 section 5.1.2.1).
  static let hostPriority: UInt32 = 110 &<< 24 | 65_535 &<< 8 | 255
}
