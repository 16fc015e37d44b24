public import ControlWire
import SDPWire

/// What the server says of itself in an answer.
public struct WebRTCAnswerParameters: Hashable, Sendable {
  /// The server's ICE credentials for this client.
  public var serverICE: ICEParameters
  /// Where it answers connectivity checks, best first.
  public var candidates: [CandidateAddress]
  /// SHA-256 of its certificate.
  public var fingerprint: [UInt8]
  /// What a player will receive with; `nil` for a publisher.
  public var receiveSSRCs: TrackSSRCs?
  /// The name that binds what a player receives together (RFC 3550 section 6.5.1); no spaces.
  public var cname: String
  /// The `MediaStream` that a player's application gets (RFC 8830); no spaces.
  public var streamID: String
  /// The session's identity in the `o=` line; below 2^63 (RFC 9429 section 5.2.1).
  public var sessionID: UInt64

  /// Makes parameters.
  public init(
    serverICE: ICEParameters, candidates: [CandidateAddress], fingerprint: [UInt8], receiveSSRCs: TrackSSRCs?,
    cname: String, streamID: String = "greenroom", sessionID: UInt64
  ) {
    self.serverICE = serverICE
    self.candidates = candidates
    self.fingerprint = fingerprint
    self.receiveSSRCs = receiveSSRCs
    self.cname = cname
    self.streamID = streamID
    self.sessionID = sessionID
  }

  /// All candidates, and that there will be no more.
  var candidateAttributes: [SDPAttribute] {
    let lines = candidates.enumerated().map { index, candidate in
      // For host candidates of component 1: RFC 8445 sections 5.1.2.1 and 5.1.1.3, RFC 6544 section 4.2 (a preference of 90
      // for streams, as browsers have it, and 4 for the passive side).
      let order = 65_535 - min(index, 65_535)
      let preference = candidate.isUDP ? 126 << 24 | order << 8 : 90 << 24 | (4 << 13 | order & 0x1FFF) << 8
      let line =
        "\(index + 1) 1 \(candidate.transport ?? "udp") \(preference | 255) \(candidate.host) \(candidate.port)"
      return SDPAttribute("candidate", line + " typ host" + (candidate.isUDP ? "" : " tcptype passive"))
    }
    return lines + [SDPAttribute("end-of-candidates")]
  }
}
