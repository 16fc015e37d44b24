import ChannelCore
import ControlWire
import MediaBase
import OpenSSLCrypto
import SDPWire
import WebRTCNegotiation
import WebSocketIO

/// WHIP (RFC 9725) and WHEP: participants by WebRTC join and leave by HTTP. To the channels they are users like others.
final class WebRTCGateway: @unchecked Sendable {
  // @unchecked: everything that changes is touched on the HTTP server's thread only.

  /// Numbers of these clients have this bit, those of WebSockets do not.
  static let clientBit: UInt64 = 1 << 63

  let workers: [ShardWorker]
  private let placement: ChannelPlacement
  private let gate: TokenGate
  private let fingerprint: [UInt8]
  private let sessionLimit: Int
  /// Requests come from its address then, not from their senders'.
  private let isBehindProxy: Bool
  /// What publishers may have.
  private let support: WebRTCOffer.Support
  var sessions: [UInt64: WebRTCSession] = [:]
  private(set) weak var http: HTTPServer?
  private var clientsByResource: [String: UInt64] = [:]
  private var quota: SessionQuota
  private var ended = EndedSessions()
  private var sessionCount: UInt64 = 0

  init(configuration: ChannelServerConfiguration, workers: [ShardWorker], gate: TokenGate, fingerprint: [UInt8]) {
    self.workers = workers
    self.gate = gate
    self.fingerprint = fingerprint
    sessionLimit = configuration.maximumConnectionCount
    isBehindProxy = configuration.isBehindTLSProxy
    quota = SessionQuota(
      limit: configuration.limitPerAddress(configuration.maximumSessionCountPerAddress, usually: 4_000),
      unconnectedLimit: configuration.limitPerAddress(
        configuration.maximumUnconnectedSessionCountPerAddress, usually: 100))
    support = configuration.passesOrientation ? [.transportCC, .orientation] : .transportCC
    placement = ChannelPlacement(workerCount: workers.count)
  }

  /// Sessions that have not ended.
  var count: Int { sessions.count }

  /// Takes the server's paths.
  func attach(to http: HTTPServer) {
    self.http = http
    for kind in [WebRTCPath.Kind.whip, .whep] {
      http.handle("/\(kind.rawValue)", refusalHeaders: WebRTCResponse.refusalHeaders) { [weak self] in self?.handle($0)
      }
    }
  }

  private func handle(_ exchange: HTTPExchange) {
    let request = exchange.request
    guard request.method != "OPTIONS" else { return exchange.respond(WebRTCResponse.options) }
    guard let path = WebRTCPath(request.path) else {
      return exchange.respond(
        WebRTCResponse.refusal(
          404, "Use /whip/CHANNEL to publish and /whep/CHANNEL to watch; the name of a channel has no slash."))
    }
    switch (request.method, path.resource) {
    case (_, let resource?) where path.isEvents: events(exchange, resource, path)
    case ("POST", let resource?) where path.isLayer: choose(exchange, resource, path)
    case ("POST", let resource?) where path.isMedia: mute(exchange, resource, path)
    case (_, _?) where path.isLayer || path.isMedia:
      exchange.respond(WebRTCResponse.refusal(405, "Here OPTIONS, POST are understood.", [("Allow", "OPTIONS, POST")]))
    case ("POST", nil): join(exchange, path)
    case ("DELETE", let resource?): end(exchange, resource, path)
    case ("PATCH", let resource?): patch(exchange, resource, path)
    case ("POST", _?):
      let allowed = "OPTIONS, PATCH, DELETE"
      let sentence = "This would be a session, where \(allowed) are understood; the name of a channel has no slash."
      exchange.respond(WebRTCResponse.refusal(405, sentence, [("Allow", allowed)]))
    default:
      let allowed = path.resource == nil ? "OPTIONS, POST" : "OPTIONS, PATCH, DELETE"
      exchange.respond(WebRTCResponse.refusal(405, "Here \(allowed) are understood.", [("Allow", allowed)]))
    }
  }

  private func join(_ exchange: HTTPExchange, _ path: WebRTCPath) {
    let request = exchange.request
    guard WebRTCResponse.hasType(request, "application/sdp") else {
      return exchange.respond(WebRTCResponse.refusal(415, "Send an offer as application/sdp."))
    }
    guard let uid = Self.uid(request.query["uid"]), let wanted = Self.uid(request.query["from"]) else {
      return exchange.respond(WebRTCResponse.refusal(400, "uid and from must be numbers from 1 to 4294967295."))
    }
    guard let profile = Self.profile(request.query["profile"]) else {
      return exchange.respond(WebRTCResponse.refusal(400, "profile must be 0 (communication) or 1 (live)."))
    }
    let token = Self.bearerToken(request)
    let grant: ChannelGrant
    // Nobody sees a player, and who publishes and watches does both with one token.
    switch gate.admission(token, channel: path.channel, uid: path.kind == .whep && uid == 0 ? nil : uid) {
    case .granted(let granted): grant = granted
    case .refused(let problem): return exchange.respond(WebRTCResponse.refusal(problem))
    }
    guard path.kind == .whep || grant.allowsPublishing else {
      return exchange.respond(
        WebRTCResponse.refusal(
          ErrorResponse(code: .roleNotAuthorized, message: "The token does not allow to publish; get one that does.")))
    }
    guard sessions.count < sessionLimit else {
      return exchange.respond(WebRTCResponse.refusal(503, "The server is full; try again later."))
    }
    let network = ClientNetwork(host: request.remoteHost)
    if let problem = quota.problem(of: network) { return exchange.respond(WebRTCResponse.refusal(429, problem)) }
    let offer: WebRTCOffer
    do throws(WebRTCOfferError) {
      offer = try WebRTCOffer(
        parsing: request.body, purpose: path.kind == .whip ? .publish : .play,
        support: path.kind == .whip ? support : .transportCC)
    } catch {
      return exchange.respond(WebRTCResponse.refusal(400, error.description))
    }
    guard let random = OpenSSLCrypto.randomBytes(count: 36) else {
      return exchange.respond(WebRTCResponse.refusal(500, "The system gives no random numbers."))
    }
    sessionCount += 1
    let client = Self.clientBit | sessionCount
    let session = WebRTCSession(
      client: client, path: path, resource: Self.hexadecimal(random[0..<16]),
      worker: placement.worker(for: path.channel), offer: offer,
      receiveSSRCs: path.kind == .whep ? Self.ssrcs(random[16..<28]) : nil,
      sessionID: Self.number(random[28..<36]) &>> 2, uid: uid, token: token, network: network,
      exchange: exchange)
    sessions[client] = session
    quota.add(network)
    clientsByResource[session.resource] = client
    var join = offer.join(receiveSSRCs: session.receiveSSRCs, wantedUID: wanted == 0 ? nil : wanted)
    if !isBehindProxy { join.provedHost = TransportAddress(host: request.remoteHost, port: 0) }
    workers[session.worker].join(
      offer.joinRequest(channel: path.channel, uid: uid, profile: profile), grant: grant, by: join, from: client)
  }

  /// Takes what the channels say to a client of this gateway.
  func deliver(_ delivery: ControlDelivery) {
    guard let session = sessions[delivery.client] else { return }
    if delivery.isConnected, !session.hasConnected {
      session.hasConnected = true
      quota.connected(session.network)
    }
    if let response = delivery.response { note(response, for: session.client) }
    var removal: ErrorResponse?
    switch delivery.response {
    case .joined(let response): answer(session, response)
    case .error(let error): session.exchange?.respond(WebRTCResponse.refusal(error))
    case .removed(let error):
      removal = error
      session.exchange?.respond(WebRTCResponse.refusal(error))
    default: break
    }
    guard delivery.closesAfter else { return }
    if session.server != nil { ended.add(session, removal) }
    forget(session)
  }

  private func answer(_ session: WebRTCSession, _ response: JoinedResponse) {
    guard let exchange = session.exchange else { return }
    let server = WebRTCAnswerParameters(
      serverICE: response.ice, candidates: response.candidates, fingerprint: fingerprint,
      receiveSSRCs: session.receiveSSRCs, cname: "greenroom", sessionID: session.sessionID)
    session.exchange = nil
    session.server = server
    session.uid = response.uid
    exchange.respond(
      WebRTCResponse.created(
        session.offer.answer(server).text, location: session.location, entityTag: server.entityTag, uid: response.uid,
        isPlayer: session.path.kind == .whep, rejections: session.offer.rejections))
  }

  private func end(_ exchange: HTTPExchange, _ resource: String, _ path: WebRTCPath) {
    guard !ended.remove(resource, path) else { return exchange.respond(WebRTCResponse.done(200)) }
    guard let session = session(exchange, resource, path), mayChange(session, exchange) else { return }
    workers[session.worker].receive(.leave, from: session.client)
    forget(session)
    exchange.respond(WebRTCResponse.done(200))
  }

  /// The session that a request is about; without one the request is refused.
  func session(_ exchange: HTTPExchange, _ resource: String, _ path: WebRTCPath) -> WebRTCSession? {
    guard let client = clientsByResource[resource], let session = sessions[client],
      session.path.kind == path.kind, session.path.channel == path.channel
    else {
      exchange.respond(WebRTCResponse.noSession(ended.error(resource, path)))
      return nil
    }
    return session
  }

  /// Whether a request may change a session: only who began it may, or who has a token for it now, and with content of type
  /// `contentType` where it needs some. What may not is refused.
  func mayChange(_ session: WebRTCSession, _ exchange: HTTPExchange, _ contentType: String? = nil) -> Bool {
    let (request, path) = (exchange.request, session.path)
    let token = Self.bearerToken(request)
    if token != session.token,
      case .refused(let problem) = gate.admission(
        token, channel: path.channel, uid: path.kind == .whep ? nil : session.uid)
    {
      exchange.respond(WebRTCResponse.refusal(problem))
      return false
    }
    if let contentType, !WebRTCResponse.hasType(request, contentType) {
      exchange.respond(WebRTCResponse.refusal(415, "Send \(contentType)."))
      return false
    }
    return true
  }

  private func forget(_ session: WebRTCSession) {
    guard let session = sessions.removeValue(forKey: session.client) else { return }
    quota.remove(session.network, hasConnected: session.hasConnected)
    clientsByResource[session.resource] = nil
    session.events.waiting?.respond(WebRTCResponse.refusal(410, "The session has ended."))
    session.exchange?.respond(WebRTCResponse.refusal(410, "The session has ended."))
  }
}

extension WebRTCGateway {
  /// The token of an Authorization field (RFC 6750 section 2.1); empty without one.
  private static func bearerToken(_ request: HTTPRequest) -> String {
    let words = (request.header("authorization") ?? "").split(separator: " ")
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : ""
  }

  /// A uid of the query; 0 if there is none, `nil` if it is none.
  private static func uid(_ text: String?) -> UInt? {
    guard let text else { return 0 }
    return UInt(text).flatMap { ControlProtocol.isValidUID($0) ? $0 : nil }
  }

  /// A profile's number in the query; live if there is none.
  private static func profile(_ text: String?) -> ChannelProfile? {
    guard let text else { return .liveBroadcasting }
    return Int(text).flatMap(ChannelProfile.init(rawValue:))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 &<< 8 | UInt64($1) } }

  /// Three that differ and are not 0.
  private static func ssrcs(_ bytes: ArraySlice<UInt8>) -> TrackSSRCs {
    let start = bytes.startIndex
    var numbers: [UInt32] = []
    for place in 0..<3 {
      var ssrc = UInt32(truncatingIfNeeded: number(bytes[(start + 4 * place)..<(start + 4 * place + 4)]))
      while ssrc == 0 || numbers.contains(ssrc) { ssrc &+= 1 }
      numbers.append(ssrc)
    }
    return TrackSSRCs(audio: numbers[0], video: numbers[1], videoRTX: numbers[2])
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
