import ControlWire
import ICEAgent
import MediaBase

extension ConnectionCore {
  /// The socket asked for by `ControlCommand.connect` is open.
  public mutating func controlOpened(now: MediaInstant) {
    guard case .opening = phase else { return }
    localICE = makeICECredentials()
    told = wanted
    pendingUpdates.removeAll()
    phase = .joining(deadline: now + configuration.timing.joinTimeout)
    commands.append(
      .send(
        .join(
          JoinRequest(
            channel: configuration.channel, uid: uid, token: wanted.token, profile: configuration.profile,
            role: wanted.role, publish: wanted.effectivePublish(profile: configuration.profile),
            subscribe: wanted.subscribe,
            ice: ICEParameters(usernameFragment: localICE.usernameFragment, password: localICE.password),
            videoLayerCount: configuration.wantsLowVideo ? 2 : nil,
            mediaState: wanted.mediaState, isAudioFilterable: wanted.isAudioFilterable ? nil : false))))
  }

  /// A message of the server.
  public mutating func controlReceived(_ response: ChannelResponse, now: MediaInstant) {
    switch (response, phase) {
    case (.joined(let joined), .joining): enter(joined, now: now)
    case (.updated(let updated), .joined): confirm(updated.requestID, now: now)
    case (.userJoined(let user), .joined): addUser(user, now: now)
    case (.userUpdated(let update), .joined): updateUser(update, now: now)
    case (.streamMessage(let message), .joined): receiveStreamMessage(message, now: now)
    case (.userLeft(let left), .joined): removeUser(left.uid, reason: left.reason, now: now)
    case (.tokenWillExpire, .joined): events.append(.tokenWillExpire(token: wanted.token))
    case (.error(let error), .joining), (.removed(let error), .joining), (.removed(let error), .joined):
      handleRemoval(error, now: now)
    case (.error(let error), .joined): handleRefusal(error, now: now)
    default: break
    }
  }

  /// Changes what is published and received, the role and the token; `nil` leaves the present value alone. While the
  /// connection is being made, changes are kept and become part of joining.
  public mutating func update(
    role: ClientRole? = nil, publish: TrackFlags? = nil, subscribe: Subscription? = nil, token: String? = nil,
    mediaState: UserMediaState? = nil, isAudioFilterable: Bool? = nil, now: MediaInstant
  ) {
    guard !hasEnded else { return }
    wanted.role = role ?? wanted.role
    wanted.publish = publish ?? wanted.publish
    wanted.subscribe = subscribe ?? wanted.subscribe
    wanted.token = token ?? wanted.token
    wanted.mediaState = mediaState ?? wanted.mediaState
    wanted.isAudioFilterable = isAudioFilterable ?? wanted.isAudioFilterable
    refreshPublishing(now: now)
    refreshUsers(cause: .local, now: now)
  }

  /// Leaves: says so to the server, reports `left` and ends.
  public mutating func leave(now: MediaInstant) {
    if case .ended = phase, state == .disconnected { return }
    switch phase {
    case .joined, .joining:
      commands.append(.send(.leave))
      commands.append(.close)
    case .opening: commands.append(.close)
    case .waiting, .ended: break
    }
    let totals = currentStatistics(now: now)
    end(now: now)
    setState(.disconnected, .leaveChannel)
    events.append(.left(totals))
  }

  /// One request for everything that has changed since the server was last told.
  mutating func pollUpdate() -> ControlCommand? {
    guard let request = wireWishes(wanted).difference(from: wireWishes(told), requestID: nextRequestID) else {
      told = wanted
      return nil
    }
    nextRequestID += 1
    pendingUpdates.append(PendingUpdate(requestID: request.requestID, previous: told, wishes: wanted))
    told = wanted
    return .send(.update(request))
  }

  /// The server is not told of publish flags that are inert.
  private func wireWishes(_ wishes: ConnectionWishes) -> ConnectionWishes {
    var wire = wishes
    wire.publish = wishes.effectivePublish(profile: configuration.profile)
    return wire
  }

  private mutating func confirm(_ requestID: Int, now: MediaInstant) {
    guard let index = pendingUpdates.firstIndex(where: { $0.requestID == requestID }) else { return }
    let update = pendingUpdates.remove(at: index)
    let oldRole = confirmed.role
    confirmed = update.wishes
    reportRenewal(of: update, .success)
    if oldRole != confirmed.role { events.append(.roleChanged(from: oldRole, to: confirmed.role)) }
    refreshPublishing(now: now)
    requestMissingKeyFrames(now: now)
  }

  /// A request was refused. What it had changed is taken back, except what has been changed again since.
  private mutating func handleRefusal(_ error: ErrorResponse, now: MediaInstant) {
    events.append(.error(error.code.engineCode, message: error.message))
    guard let index = pendingUpdates.firstIndex(where: { $0.requestID == error.requestID }) else { return }
    let update = pendingUpdates.remove(at: index)
    reportRenewal(of: update, RenewTokenResult(error.code))
    if update.wishes.role != update.previous.role {
      let reason: ClientRoleChangeFailedReason =
        error.code == .resourceLimited ? .tooManyBroadcasters : .notAuthorized
      events.append(.roleChangeFailed(reason, current: update.previous.role))
    }
    if wanted.role == update.wishes.role { wanted.role = update.previous.role }
    if wanted.publish == update.wishes.publish { wanted.publish = update.previous.publish }
    if wanted.subscribe == update.wishes.subscribe { wanted.subscribe = update.previous.subscribe }
    if wanted.token == update.wishes.token { wanted.token = update.previous.token }
    if wanted.mediaState == update.wishes.mediaState { wanted.mediaState = update.previous.mediaState }
    if wanted.isAudioFilterable == update.wishes.isAudioFilterable {
      wanted.isAudioFilterable = update.previous.isAudioFilterable
    }
    if pendingUpdates.isEmpty { told = wanted }
    refreshPublishing(now: now)
    refreshUsers(cause: .local, now: now)
  }

  private mutating func reportRenewal(of update: PendingUpdate, _ result: RenewTokenResult) {
    guard update.wishes.token != update.previous.token else { return }
    let isNewest = update.wishes.token == wanted.token
    events.append(.tokenRenewed(token: update.wishes.token, isNewest ? result : .superseded))
  }

  /// 8 characters of name and 24 of password from the ice-chars (RFC 8839 section 5.4).
  private mutating func makeICECredentials() -> ICECredentials {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    func text(_ length: Int, _ random: inout SeededRandom) -> String {
      String(decoding: (0..<length).map { _ in alphabet[Int(random.next() & 63)] }, as: UTF8.self)
    }
    return ICECredentials(usernameFragment: text(8, &random), password: text(24, &random))
  }
}
