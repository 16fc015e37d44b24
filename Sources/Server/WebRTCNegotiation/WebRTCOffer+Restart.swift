import ControlWire
import SDPWire

extension WebRTCOffer {
  /// What a client is told after an ICE restart (RFC 9725 section 4.3.3) as `application/trickle-ice-sdpfrag`: the server's
  /// new credentials and its candidates.
  public func restartFragment(_ server: WebRTCAnswerParameters) -> String {
    var lines = ["a=ice-lite", "a=ice-options:trickle"]
    let sections = order.map { description.media[$0] }
    if isBundled {
      lines.append("a=group:BUNDLE " + sections.compactMap(\.identification).joined(separator: " "))
    }
    if let first = sections.first {
      lines.append("m=\(first.kind) 9 \(first.transport) \(first.formats.first ?? "0")")
      if let identification = first.identification { lines.append("a=mid:" + identification) }
    }
    lines.append("a=ice-ufrag:" + server.serverICE.usernameFragment)
    lines.append("a=ice-pwd:" + server.serverICE.password)
    for attribute in server.candidateAttributes {
      lines.append("a=" + attribute.name + (attribute.value.map { ":" + $0 } ?? ""))
    }
    return lines.map { $0 + "\r\n" }.joined()
  }
}
