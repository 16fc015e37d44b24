import ControlWire
import ICEAgent
import MediaBase

extension ConnectionCore {
  /// The socket asked for by `ControlCommand.connect` is open.
  public mutating func controlOpened(now: MediaInstant) {
    guard case .opening = phase else { return }
    localICE = makeICECredentials()
    forgetUpdates()
    phase = .joining(deadline: now + configuration.timing.joinTimeout)
    commands.append(
      .send(
        .join(
          JoinRequest(
            channel: configuration.channel, uid: uid, token: wanted.token, profile: configuration.profile,
            role: told.role, publish: told.publish, subscribe: told.subscribe,
            ice: ICEParameters(usernameFragment: localICE.usernameFragment, password: localICE.password),
            videoLayerCount: configuration.wantsLowVideo ? 2 : nil,
            mediaState: wanted.mediaState, isAudioFilterable: wanted.isAudioFilterable ? nil : false))))
  }

  /// A message of the server.
  public mutating func controlReceived(_ response: ChannelResponse, now: MediaInstant) {
    switch (response, phase) {
    case (.joined(let joined), .joining): enter(joined, now: now)
    case (.updated(let updated), .joined): confirm(updated, now: now)
    case (.userJoined(let user), .joined): addUser(user, now: now)
    case (.userUpdated(let update), .joined): updateUser(update, now: now)
    case (.streamMessage(let message), .joined): receiveStreamMessage(message, now: now)
    case (.userLeft(let left), .joined): removeUser(left.uid, reason: left.reason, now: now)
    case (.videoPaused(let paused), .joined): pauseVideo(paused.isPaused, of: paused.uid, now: now)
    case (.lowVideoRequested, .joined): events.append(.lowVideoRequested)
    case (.tokenWillExpire, .joined): events.append(.tokenWillExpire(token: wanted.token))
    case (.error(let error), .joining), (.removed(let error), .joining), (.removed(let error), .joined):
      handleRemoval(error, now: now)
    case (.error(let error), .joined): handleRefusal(error, now: now)
    default: break
    }
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

  /// 8 characters of name and 24 of password from the ice-chars (RFC 8839 section 5.4).
  private mutating func makeICECredentials() -> ICECredentials {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    func text(_ length: Int, _ random: inout SeededRandom) -> String {
      String(decoding: (0..<length).map { _ in alphabet[Int(random.next() & 63)] }, as: UTF8.self)
    }
    return ICECredentials(usernameFragment: text(8, &random), password: text(24, &random))
  }
}
