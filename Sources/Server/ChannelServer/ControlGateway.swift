import ChannelCore
import ControlWire
import LinuxIO
import MediaBase
import WebSocketIO

/// Between WebSockets and what they talk to: channel connections go to the worker of their channel, signalling connections
/// to the directory of users, which lives on the HTTP thread.
final class ControlGateway: @unchecked Sendable {
  // @unchecked: everything that changes is touched on the HTTP server's thread only.

  private struct Client {
    var connection: WebSocketServerConnection
    var isSignalling: Bool
    /// The worker of the channel that it has asked to join.
    var worker: Int?
    /// Whether it is in a channel or logged in.
    var hasEntered = false
    /// Whether it is being closed: what it says no longer counts.
    var isEnding = false
    /// The channel that it has asked to join.
    var channel = ""
    /// As whom it has asked to join, or has logged in for signalling.
    var uid: UInt?
    /// For signalling: when the token ends, and whether that has been announced.
    var tokenEnd: MediaInstant?
    var isWarned = false
    /// Whose allowance its messages count for; until that is known they count for the connection.
    var user: UserAllowances.User?
    var allowance: MessageAllowance
    var confirmations = ConfirmationAllowance()
    let openTime: MediaInstant
  }

  private let configuration: ChannelServerConfiguration
  private let workers: [ShardWorker]
  private var clients: [UInt64: Client] = [:]
  private let signals: SignalRelay
  private let calls: CallDesk
  private let cluster: ClusterLink?
  private var allowances: UserAllowances
  private let placement: ChannelPlacement
  private let gate: TokenGate
  private let webRTC: WebRTCGateway
  private let startTime = MonotonicClock.now()

  /// A connection that has not joined or logged in by then is closed.
  static let entryTimeout = MediaDuration.milliseconds(10_000)

  /// - Parameter fingerprint: SHA-256 of the certificate that participants by WebRTC are shown.
  init(
    configuration: ChannelServerConfiguration, workers: [ShardWorker], gate: TokenGate, fingerprint: [UInt8],
    http: HTTPServer, records: any CallRecordStore
  ) {
    let cluster = configuration.redis.map { ClusterLink($0, http: http) }
    self.cluster = cluster
    calls = CallDesk(
      configuration: configuration.calls, store: records, observers: configuration.callObservers, cluster: cluster,
      http: http)
    signals = SignalRelay(configuration: configuration.signalling, calls: calls, cluster: cluster, http: http)
    self.configuration = configuration
    allowances = UserAllowances(burst: configuration.messageBurst)
    self.workers = workers
    self.gate = gate
    placement = ChannelPlacement(workerCount: workers.count)
    webRTC = WebRTCGateway(configuration: configuration, workers: workers, gate: gate, fingerprint: fingerprint)
  }

  /// Takes the server's paths.
  func attach(to http: HTTPServer) {
    signals.deliver = { [unowned self] delivery in deliver(delivery) }
    http.webSocket(ControlProtocol.channelPath) { [self] in accept($0, isSignalling: false) }
    http.webSocket(ControlProtocol.signalPath) { [self] in accept($0, isSignalling: true) }
    let health = (try? ControlMessageCoding.encode(HealthReport())) ?? "{}"
    http.route("/healthz") { HTTPResponse(body: health) }
    MetricsPage(configuration).attach(to: http) { [self] in metrics() }
    calls.endInChannel = { [workers, placement] channel, uids in
      let error = ErrorResponse(
        code: .banned, message: "The other side of the call has been removed from the channel; hang up.")
      for uid in uids { workers[placement.worker(for: channel)].tell(error, uid: uid, in: channel) }
    }
    calls.attach(to: http, gate: OperatorGate("/v1/calls", token: configuration.callsToken, configuration))
    webRTC.attach(to: http)
    WebPages.attach(to: http, workers: workers, listsChannels: !gate.isClosed)
    http.every(milliseconds: 1_000) { [weak self] in
      self?.closeIdleClients()
      self?.checkSignalTokens()
    }
    for worker in workers {
      worker.setPresence { [weak self, weak http] presence in
        http?.post { [weak self] in self?.calls.note(presence) }
      }
      worker.setDelivery { [weak self, weak http] deliveries in
        http?.post { [weak self] in self?.deliver(deliveries) }
      }
    }
  }

  /// Ends what is not the HTTP server's.
  func stop() { cluster?.stop() }

  private func accept(
    _ connection: WebSocketServerConnection, isSignalling: Bool
  ) -> WebSocketServerConnection.Handlers? {
    guard clients.count < configuration.maximumConnectionCount else { return nil }
    let now = MonotonicClock.now()
    let id = connection.id
    clients[id] = Client(
      connection: connection, isSignalling: isSignalling,
      allowance: MessageAllowance(burst: configuration.messageBurst, now: now), openTime: now)
    return WebSocketServerConnection.Handlers(
      onText: { [weak self] text in self?.receive(text, from: id) },
      onClosed: { [weak self] in self?.closed(id) })
  }

  private func receive(_ text: String, from id: UInt64) {
    let now = MonotonicClock.now()
    guard let client = clients[id], !client.isEnding else { return }
    if client.isSignalling, receiveConfirmation(text, client, now) { return }
    guard takeAllowance(of: client, byteCount: text.utf8.count, now: now) else {
      return refuse(
        client, .resourceLimited,
        "Too many messages; send at most \(Int(MessageAllowance.rate)) a second, or fewer that are longer than "
          + "\(MessageAllowance.byteCount) bytes.", closes: true)
    }
    if client.isSignalling { receiveSignal(text, client, now) } else { receiveChannel(text, client, now) }
  }

  private func takeAllowance(of client: Client, byteCount: Int, now: MediaInstant) -> Bool {
    if let user = client.user { return allowances.take(user, byteCount: byteCount, now: now) }
    return clients[client.connection.id]?.allowance.take(byteCount: byteCount, now: now) == true
  }

  /// From now on a connection's messages count for this user, together with those of all its other connections.
  private func share(_ id: UInt64, _ user: UserAllowances.User, now: MediaInstant) {
    guard let client = clients[id], client.user == nil else { return }
    clients[id]?.user = user
    allowances.charge(user, client.allowance.taken, now: now)
  }

  /// Takes a text if it confirms what the client has been sent, which it may do as often as that.
  private func receiveConfirmation(_ text: String, _ client: Client, _ now: MediaInstant) -> Bool {
    let id = client.connection.id
    guard client.confirmations.awaitsConfirmation, text.utf8.count <= ConfirmationAllowance.byteCount,
      let request = try? ControlMessageCoding.decode(SignalRequest.self, from: text), case .received = request
    else { return false }
    clients[id]?.confirmations.takeConfirmation()
    signals.receive(request, from: id, now: now)
    return true
  }

  private func receiveSignal(_ text: String, _ client: Client, _ now: MediaInstant) {
    guard let request = decode(SignalRequest.self, from: text, of: client) else { return }
    let id = client.connection.id
    guard admits(request, client) else { return }
    if case .login(let login) = request {
      clients[id]?.hasEntered = true
      if client.uid == nil {
        clients[id]?.uid = login.uid
        share(id, .signalling(uid: login.uid), now: now)
      }
    }
    signals.receive(request, from: id, now: now)
  }

  /// Whether the token in a request, if there is one, is good; who shows another one is told why it is not.
  private func admits(_ request: SignalRequest, _ client: Client) -> Bool {
    let admission: TokenGate.SignalAdmission
    var requestID: Int?
    switch request {
    // The token of a second login, which the directory refuses, must not count for the first.
    case .login where client.hasEntered: return true
    case .login(let login): admission = gate.signalAdmission(login.token, uid: login.uid)
    case .renewToken(let renewal):
      guard let uid = client.uid else { return true }
      requestID = renewal.requestID
      admission = gate.signalAdmission(renewal.token, uid: uid)
    case .send, .received, .report, .logout: return true
    }
    switch admission {
    case .granted(let end):
      clients[client.connection.id]?.tokenEnd = end
      clients[client.connection.id]?.isWarned = false
      return true
    case .refused(var problem):
      problem.requestID = requestID
      send(SignalResponse.error(problem), to: client, closes: !client.hasEntered)
      return false
    }
  }

  /// Tells those whose token ends soon, and ends those whose token has ended.
  private func checkSignalTokens() {
    guard gate.isClosed else { return }
    let now = MonotonicClock.now()
    for (id, client) in clients {
      guard let end = client.tokenEnd, end - now <= TokenGate.expiryWarning else { continue }
      if end <= now {
        let error = ErrorResponse(code: .tokenExpired, message: "The token has expired; log in again with a new one.")
        send(SignalResponse.removed(error), to: client, closes: true)
      } else if !client.isWarned {
        clients[id]?.isWarned = true
        send(SignalResponse.tokenWillExpire, to: client, closes: false)
      }
    }
  }

  private func receiveChannel(_ text: String, _ client: Client, _ now: MediaInstant) {
    guard let request = decode(ChannelRequest.self, from: text, of: client) else { return }
    let id = client.connection.id
    var grant: ChannelGrant?
    if let shown = shownToken(in: request, client) {
      switch gate.admission(shown.token, channel: shown.channel, uid: shown.uid) {
      case .granted(let granted): grant = granted
      case .refused(var problem):
        problem.requestID = shown.requestID
        return send(ChannelResponse.error(problem), to: client, closes: client.worker == nil)
      }
    }
    if case .join(let join) = request, client.worker == nil {
      clients[id]?.worker = placement.worker(for: join.channel)
      clients[id]?.hasEntered = true
      clients[id]?.channel = join.channel
      clients[id]?.uid = join.uid
      // Who is given a uid is somebody new.
      if join.uid != 0, ControlProtocol.isValidChannelName(join.channel) {
        share(id, .channel(join.channel, uid: join.uid), now: now)
      }
    }
    // Before the first join any worker can say what is wrong.
    workers[clients[id]?.worker ?? 0].receive(request, grant: grant, from: id)
  }

  /// The token in a request, and for what it is shown.
  private func shownToken(
    in request: ChannelRequest, _ client: Client
  ) -> (token: String, channel: String, uid: UInt, requestID: Int?)? {
    switch request {
    case .join(let join): (join.token, join.channel, join.uid, nil)
    case .update(let update): update.token.map { ($0, client.channel, client.uid ?? 0, update.requestID) }
    case .streamMessage, .leave: nil
    }
  }

  /// The message in `text`; without one the client is told what is wrong.
  private func decode<Message: Decodable>(_ type: Message.Type, from text: String, of client: Client) -> Message? {
    do throws(ControlMessageError) {
      return try ControlMessageCoding.decode(type, from: text)
    } catch {
      refuse(client, .malformedMessage, "\(error) docs/protocol.md lists the messages that the server knows.")
      return nil
    }
  }

  private func closed(_ id: UInt64) {
    guard let client = clients.removeValue(forKey: id) else { return }
    if client.isSignalling {
      signals.clientClosed(id, now: MonotonicClock.now())
    } else if let worker = client.worker {
      workers[worker].clientClosed(id)
    }
  }

  private func deliver(_ deliveries: [ControlDelivery]) {
    var texts = SharedText()
    for delivery in deliveries { deliver(delivery, &texts) }
  }

  private func deliver(_ delivery: ControlDelivery, _ texts: inout SharedText) {
    if delivery.client & WebRTCGateway.clientBit != 0 { return webRTC.deliver(delivery) }
    guard let client = clients[delivery.client] else { return }
    if case .joined(let joined) = delivery.response {
      clients[delivery.client]?.uid = joined.uid
      share(delivery.client, .channel(client.channel, uid: joined.uid), now: MonotonicClock.now())
    }
    send(text: delivery.response.flatMap { texts.text(of: $0) }, to: client, closes: delivery.closesAfter)
  }

  private func deliver(_ delivery: SignalDelivery) {
    guard let client = clients[delivery.client] else { return }
    if case .message(let message) = delivery.response, message.sequence != nil {
      clients[delivery.client]?.confirmations.awaitConfirmation()
    }
    send(delivery.response, to: client, closes: delivery.closesAfter)
  }

  private func send(_ response: (some Encodable)?, to client: Client, closes: Bool) {
    send(text: response.flatMap { try? ControlMessageCoding.encode($0) }, to: client, closes: closes)
  }

  private func send(text: String?, to client: Client, closes: Bool) {
    if let text { client.connection.send(text: text) }
    guard closes else { return }
    clients[client.connection.id]?.isEnding = true
    // With a text it is an error's end, RFC 6455 section 7.4.1: what was asked for cannot be.
    client.connection.close(code: text == nil ? 1_000 : 1_008)
  }

  private func refuse(_ client: Client, _ code: ControlErrorCode, _ message: String, closes: Bool = false) {
    let error = ErrorResponse(code: code, message: message)
    let closes = closes || !client.hasEntered
    if client.isSignalling {
      send(SignalResponse.error(error), to: client, closes: closes)
    } else {
      send(ChannelResponse.error(error), to: client, closes: closes)
    }
  }

  private func closeIdleClients() {
    let now = MonotonicClock.now()
    allowances.prune(now: now)
    for client in clients.values where !client.hasEntered && now - client.openTime > Self.entryTimeout {
      client.connection.close(code: 4_408, reason: "Nothing was joined in time.")
    }
  }

  private func metrics() -> MetricsReport {
    MetricsReport(
      uptimeSeconds: Int((MonotonicClock.now() - startTime).seconds), connections: clients.count + webRTC.count,
      signalUsers: signals.userCount, unrecordedCalls: calls.unrecordedCount,
      lostRecordChanges: calls.lostRecordChangeCount, workers: workers.map(\.statistics))
  }
}
