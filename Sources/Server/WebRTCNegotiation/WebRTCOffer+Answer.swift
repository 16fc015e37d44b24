import ControlWire
import ForwardingCore
public import SDPWire

extension WebRTCOffer {
  /// The answer (RFC 9429 section 5.3): a section for each of the offer's, in its order.
  public func answer(_ server: WebRTCAnswerParameters) -> SessionDescription {
    var session = [SDPAttribute("ice-lite")]
    if isBundled {
      let identifications = order.compactMap { description.media[$0].identification }
      session.append(SDPAttribute("group", (["BUNDLE"] + identifications).joined(separator: " ")))
    }
    if description.attributes.has("extmap-allow-mixed") { session.append(SDPAttribute("extmap-allow-mixed")) }
    return SessionDescription(
      origin: SDPOrigin(sessionID: server.sessionID), attributes: session,
      media: description.media.indices.map { index in
        if let audio, audio.index == index { return section(audio, ssrcs: receiveSSRCs(server, isAudio: true), server) }
        if let video, video.index == index {
          return section(video, ssrcs: receiveSSRCs(server, isAudio: false), server)
        }
        return rejection(of: description.media[index], server)
      })
  }

  /// Port 0 and a format, of which there must be one (RFC 3264 section 6). GStreamer refuses the answer if a rejected
  /// section lacks ICE and DTLS.
  private func rejection(of medium: MediaDescription, _ server: WebRTCAnswerParameters) -> MediaDescription {
    var lines = transport(server, hasCandidates: false)
    if let identification = medium.identification { lines.append(SDPAttribute("mid", identification)) }
    lines.append(SDPAttribute(SDPDirection.inactive.rawValue))
    return MediaDescription(
      kind: medium.kind, port: 0, transport: medium.transport, formats: [medium.formats.first ?? "0"],
      attributes: lines)
  }

  private func receiveSSRCs(_ server: WebRTCAnswerParameters, isAudio: Bool) -> [UInt32] {
    guard purpose == .play, let ssrcs = server.receiveSSRCs else { return [] }
    if isAudio { return [ssrcs.audio] }
    return format.rtxPayloadType == nil ? [ssrcs.video] : [ssrcs.video, ssrcs.videoRTX]
  }

  private func section(
    _ accepted: AcceptedMedium, ssrcs: [UInt32], _ server: WebRTCAnswerParameters
  ) -> MediaDescription {
    let medium = description.media[accepted.index]
    var lines = transport(server, hasCandidates: accepted.index == order.first)
    if let identification = medium.identification { lines.append(SDPAttribute("mid", identification)) }
    if medium.attributes.has("extmap-allow-mixed") { lines.append(SDPAttribute("extmap-allow-mixed")) }
    lines += accepted.extensions.map(\.answer.attribute)
    lines.append(SDPAttribute((purpose == .publish ? SDPDirection.recvonly : .sendonly).rawValue))
    if purpose == .play { lines.append(SDPAttribute("msid", "\(server.streamID) \(medium.kind)")) }
    lines.append(SDPAttribute("rtcp-mux"))
    if medium.attributes.has("rtcp-rsize") { lines.append(SDPAttribute("rtcp-rsize")) }
    let codecs = accepted.answeredCodecs
    lines += codecs.flatMap(\.attributes)
    lines += accepted.layerLines
    if ssrcs.count == 2 { lines.append(SDPAttribute("ssrc-group", "FID \(ssrcs[0]) \(ssrcs[1])")) }
    for ssrc in ssrcs {
      lines.append(SDPAttribute("ssrc", "\(ssrc) cname:\(server.cname)"))
      lines.append(SDPAttribute("ssrc", "\(ssrc) msid:\(server.streamID) \(medium.kind)"))
    }
    // Port 9 stands for what the candidates tell (RFC 9429 section 5.2.1).
    return MediaDescription(
      kind: medium.kind, port: 9, transport: medium.transport, formats: codecs.map { String($0.payloadType) },
      attributes: lines)
  }

  /// ICE and DTLS. Each section has them, since some clients look in each; candidates are in the first only, as in
  /// answers of browsers.
  private func transport(_ server: WebRTCAnswerParameters, hasCandidates: Bool) -> [SDPAttribute] {
    var lines = hasCandidates ? server.candidateAttributes : []
    lines.append(SDPAttribute("ice-ufrag", server.serverICE.usernameFragment))
    lines.append(SDPAttribute("ice-pwd", server.serverICE.password))
    if isTrickling { lines.append(SDPAttribute("ice-options", "trickle")) }
    lines.append(SDPAttribute("fingerprint", SDPFingerprint(hashFunction: "sha-256", bytes: server.fingerprint).value))
    lines.append(SDPAttribute("setup", SDPSetupRole.passive.rawValue))
    return lines
  }
}

extension SDPHeaderExtension {
  /// The same from the other side (RFC 8285 section 8): a direction that was said is turned round.
  fileprivate var answer: SDPHeaderExtension {
    var answer = self
    answer.direction = direction.map { SDPDirection(sends: $0.receives, receives: $0.sends) }
    return answer
  }
}
