import MediaBase
import STUNWire

/// The server's side of one peer's connectivity checks: ICE lite (RFC 8445 section 2.5), which answers and never asks.
struct LiteConnectivity: Sendable {
  /// What an authentic request means for the peer.
  struct Outcome {
    /// To send back to where the request came from.
    var response: STUNMessageBuilder?
    /// Whether the request's source is proved to be the peer's.
    var isAuthentic = false
  }

  let localUsernameFragment: String
  private let localPassword: String
  private let remoteUsernameFragment: String
  /// Where to send; chosen by the peer.
  private(set) var selectedAddress: TransportAddress?
  /// When the last authentic request came, or the peer was added.
  private(set) var lastCheck: MediaInstant

  init(
    localUsernameFragment: String, localPassword: String, remoteUsernameFragment: String, now: MediaInstant
  ) {
    self.localUsernameFragment = localUsernameFragment
    self.localPassword = localPassword
    self.remoteUsernameFragment = remoteUsernameFragment
    lastCheck = now
  }

  /// Takes a parsed STUN message that names this peer. What does not authenticate is not answered: an answer would tell
  /// strangers which names exist.
  mutating func receive(
    _ message: STUNMessage, bytes: RawSpan, from source: TransportAddress, now: MediaInstant, hmacSHA1: STUNHMACSHA1
  ) -> Outcome {
    guard message.messageClass == .request, message.method == STUNMessage.bindingMethod,
      message.username == localUsernameFragment + ":" + remoteUsernameFragment,
      message.verifyIntegrity(of: bytes, password: localPassword, hmacSHA1: hmacSHA1)
    else { return Outcome() }
    guard message.unknownRequiredAttributes.isEmpty else {
      return Outcome(response: refusal(message, .unknownAttribute, hmacSHA1))
    }
    guard message.iceControlled == nil else {
      // Section 7.3.1.1: a lite agent is always controlled.
      return Outcome(response: refusal(message, .roleConflict, hmacSHA1))
    }
    lastCheck = now
    if message.useCandidate { selectedAddress = source }
    var response = STUNMessageBuilder(.successResponse, transactionID: message.transactionID)
    response.add(xorMappedAddress: source)
    response.addMessageIntegrity(password: localPassword, hmacSHA1: hmacSHA1)
    response.addFingerprint()
    return Outcome(response: response, isAuthentic: true)
  }

  private func refusal(
    _ message: STUNMessage, _ error: STUNErrorCode, _ hmacSHA1: STUNHMACSHA1
  ) -> STUNMessageBuilder {
    var response = STUNMessageBuilder(.errorResponse, transactionID: message.transactionID)
    response.add(errorCode: error)
    if error == .unknownAttribute { response.add(unknownAttributes: message.unknownRequiredAttributes) }
    response.addMessageIntegrity(password: localPassword, hmacSHA1: hmacSHA1)
    response.addFingerprint()
    return response
  }
}
