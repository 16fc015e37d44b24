import ControlWire
import MediaBase

/// What is wanted, what the server has been told of it, and what it has granted.
extension ConnectionCore {
  /// Changes what is published and received, the role and the token; `nil` leaves the present value alone. While the
  /// connection is being made, or has failed for want of a token, changes are kept and become part of joining. A token
  /// brings a connection back that has failed for want of one.
  public mutating func update(
    role: ClientRole? = nil, publish: TrackFlags? = nil, subscribe: Subscription? = nil, token: String? = nil,
    mediaState: UserMediaState? = nil, isAudioFilterable: Bool? = nil, now: MediaInstant
  ) {
    guard !hasEnded || awaitsToken else { return }
    if let token { replaceToken(token) }
    wanted.role = role ?? wanted.role
    watchRole(now: now)
    wanted.publish = publish ?? wanted.publish
    wanted.subscribe = subscribe ?? wanted.subscribe
    wanted.mediaState = mediaState ?? wanted.mediaState
    wanted.isAudioFilterable = isAudioFilterable ?? wanted.isAudioFilterable
    refreshPublishing(now: now)
    refreshUsers(cause: .local, now: now)
    if token != nil, awaitsToken { comeBack(now: now) }
  }

  /// Shows the server the present token once more, so that whoever asks for it is answered; another one is a change.
  public mutating func renew(token: String, now: MediaInstant) {
    guard !hasEnded || awaitsToken else { return }
    guard token == wanted.token, !awaitsToken else { return update(token: token, now: now) }
    showsTokenAgain = !pendingUpdates.contains { $0.token == token }
  }

  /// A token that the server has not been shown gives way to a newer one.
  private mutating func replaceToken(_ token: String) {
    guard token != wanted.token else { return }
    if wanted.token != told.token { reportRenewal(of: wanted.token, .superseded) }
    wanted.token = token
  }

  /// One request for everything that has changed since the server was last told. A token goes alone and first: a server
  /// that refuses it refuses the whole request, and what else has changed must not fall with it.
  mutating func pollUpdate() -> ControlCommand? {
    var next = wireWishes
    let showsToken = next.token != told.token || showsTokenAgain
    if showsToken {
      next = told
      next.token = wanted.token
    }
    let change =
      showsToken
      ? UpdateRequest(requestID: nextRequestID, token: next.token)
      : next.difference(from: told, requestID: nextRequestID)
    guard let request = change else { return nil }
    showsTokenAgain = false
    nextRequestID += 1
    pendingUpdates.append(request)
    told = next
    return .send(.update(request))
  }

  /// What is wanted, without publish flags that are inert: the server is not told of these.
  private var wireWishes: ConnectionWishes {
    var wire = wanted
    wire.publish = wanted.effectivePublish(profile: configuration.profile)
    return wire
  }

  /// A `join` says everything anew: requests that the server has not answered are void.
  mutating func forgetUpdates() {
    var shown = pendingUpdates.compactMap(\.token)
    if shown.isEmpty, told.token != confirmed.token { shown = [told.token] }
    for token in shown where token != wanted.token { reportRenewal(of: token, .superseded) }
    pendingUpdates.removeAll()
    told = wireWishes
  }

  /// The server has granted a request.
  mutating func confirm(_ updated: UpdatedResponse, now: MediaInstant) {
    guard let index = pendingUpdates.firstIndex(where: { $0.requestID == updated.requestID }) else { return }
    let request = pendingUpdates.remove(at: index)
    let oldRole = confirmed.role
    confirmed.apply(request)
    if request.token != nil { setMaySendData(updated.maySendData ?? true) }
    if let token = request.token { reportRenewal(of: token, .success) }
    watchRole(now: now)
    if oldRole != confirmed.role { events.append(.roleChanged(from: oldRole, to: confirmed.role)) }
    refreshPublishing(now: now)
    requestMissingKeyFrames(now: now)
  }

  /// The server has let the user in with everything that `join` said; what is not as it last was is reported.
  mutating func confirmJoin() {
    let before = confirmed
    confirmed = told
    if told.token != before.token { reportRenewal(of: told.token, .success) }
    if told.role != before.role { events.append(.roleChanged(from: before.role, to: told.role)) }
  }

  /// A request was refused. What it had changed is taken back, except what has been changed again since; beside a refused
  /// role only that, and the rest is asked for again.
  mutating func handleRefusal(_ error: ErrorResponse, now: MediaInstant) {
    events.append(.error(error.code.engineCode, message: error.message))
    if error.code == .noPermission, error.requestID == nil { setMaySendData(false) }
    guard let index = pendingUpdates.firstIndex(where: { $0.requestID == error.requestID }) else { return }
    let request = pendingUpdates.remove(at: index)
    told = confirmed
    for other in pendingUpdates { told.apply(other) }
    if let role = request.role {
      if wanted.role == role { wanted.role = told.role }
      let reason: ClientRoleChangeFailedReason =
        error.code == .resourceLimited ? .tooManyBroadcasters : .notAuthorized
      events.append(.roleChangeFailed(reason, current: told.role))
    } else {
      takeBack(request)
      if let token = request.token { tokenRefused(token, RenewTokenResult(error), goesBackTo: told.token) }
    }
    watchRole(now: now)
    refreshPublishing(now: now)
    refreshUsers(cause: .local, now: now)
  }

  private mutating func takeBack(_ request: UpdateRequest) {
    if wanted.subscribe == request.subscribe { wanted.subscribe = told.subscribe }
    if wanted.mediaState == request.mediaState { wanted.mediaState = told.mediaState }
    if wanted.isAudioFilterable == request.isAudioFilterable { wanted.isAudioFilterable = told.isAudioFilterable }
    guard let publish = request.publish, wanted.publish == publish else { return }
    // Whatever the server says, what was muted stays so.
    wanted.publish = TrackFlags(
      audio: publish.audio && told.publish.audio, video: publish.video && told.publish.video)
    confirmed.publish = wanted.publish
    told.publish = wanted.publish
  }

  /// The server did not let the user in for something that has been changed since it last did, or that the user can do
  /// without: join again as it goes.
  ///
  /// - Returns: whether there is anything to try.
  mutating func joinsOtherwise(_ error: ErrorResponse, now: MediaInstant) -> Bool {
    guard case .joining = phase else { return false }
    switch error.code {
    case .roleNotAuthorized where told.role == .broadcaster:
      warn(.openChannelRejected, error.message)
      events.append(.error(error.code.engineCode, message: error.message))
      if wanted.role == .broadcaster { wanted.role = .audience }
      confirmed.role = .audience
      events.append(.roleChangeFailed(.notAuthorized, current: .audience))
    case .invalidToken, .tokenExpired, .invalidAppID:
      guard told.token != confirmed.token || wanted.token != told.token else { return false }
      warn(.openChannelInvalidTicket, error.message)
      events.append(.error(error.code.engineCode, message: error.message))
      if told.token != confirmed.token {
        tokenRefused(told.token, RenewTokenResult(error), goesBackTo: confirmed.token)
      }
      told.token = confirmed.token
    default: return false
    }
    commands.append(.close)
    commands.append(.connect)
    phase = .opening(deadline: now + configuration.timing.joinTimeout)
    return true
  }

  private mutating func tokenRefused(_ token: String, _ result: RenewTokenResult, goesBackTo other: String) {
    let isNewest = token == wanted.token
    if isNewest { wanted.token = other }
    events.append(.tokenRenewed(token: token, isNewest ? result : .superseded, current: wanted.token))
  }

  /// The server has been shown the token in use again, and refuses it now.
  mutating func answerToken(_ result: RenewTokenResult) {
    showsTokenAgain = false
    reportRenewal(of: wanted.token, result)
  }

  private mutating func reportRenewal(of token: String, _ result: RenewTokenResult) {
    let result = token == wanted.token ? result : .superseded
    events.append(.tokenRenewed(token: token, result, current: wanted.token))
  }
}
