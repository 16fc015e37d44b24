import ControlWire
import ForwardingCore
import MediaBase

extension ChannelDirectory {
  mutating func update(_ request: UpdateRequest, grant: ChannelGrant?, client: UInt64, now: MediaInstant) {
    guard let before = members[client] else {
      return refuse(
        ErrorResponse(
          code: .invalidState, message: "Nothing to update; join a channel first.", requestID: request.requestID),
        client: client)
    }
    let allowed = (grant ?? before.grant).allowsBroadcasting(now)
    guard request.role != .broadcaster || before.role == .broadcaster || allowed else {
      return refuse(
        ErrorResponse(
          code: .roleNotAuthorized, message: "The token does not allow to publish; renew it with one that does.",
          requestID: request.requestID), client: client)
    }
    if let subscribe = request.subscribe, var error = problem(with: subscribe, insteadOf: before.subscribe) {
      error.requestID = request.requestID
      return refuse(error, client: client)
    }
    if let error = refusal(of: request.role, client: client, requestID: request.requestID, now: now) {
      return refuse(error, client: client)
    }
    if let grant { setGrant(grant, of: client, now: now) }
    change(request, client: client, now: now)
  }

  private mutating func change(_ request: UpdateRequest, client: UInt64, now: MediaInstant) {
    guard let before = members[client] else { return }
    var after = before
    after.role = request.role ?? before.role
    after.publish = request.publish ?? before.publish
    after.subscribe = request.subscribe ?? before.subscribe
    after.mediaState = request.mediaState ?? before.mediaState
    after.isAudioFilterable = request.isAudioFilterable ?? before.isAudioFilterable
    members[client] = after
    noteSubscription(before.subscribe, after.subscribe)
    let maySendData = request.token == nil || after.maySendData
    send(.updated(UpdatedResponse(requestID: request.requestID, maySendData: maySendData ? nil : false)), to: client)

    publishedChanged(from: before, to: after, now: now)
    if before.isVisible != after.isVisible {
      noticeDeadlines.set(client, nil)
      if after.isVisible { show(after) } else { hide(after, reason: .becameAudience) }
    }
    updateSubscriptions(from: before, to: after)
    if before.subscribe != after.subscribe || before.isVisible != after.isVisible { requestLowVideo(by: client) }
    if before.isAudioFilterable != after.isAudioFilterable {
      let channel = after.isAudioFilterable ? channels[after.channel]?.number ?? 0 : 0
      mediaCommands.append(.setVoiceChannel(client: client, channel: channel))
    }
  }

  private mutating func updateSubscriptions(from before: ChannelMember, to after: ChannelMember) {
    guard before.subscribe != after.subscribe else { return }
    if before.subscribe.fallback != after.subscribe.fallback {
      mediaCommands.append(.setFallback(client: after.client, VideoFallback(after.subscribe.fallback)))
    }
    for other in visibleOthers(of: after) {
      guard let publisher = members[other] else { continue }
      let tracks = after.subscribe.wanted(of: publisher.uid)
      if tracks != before.subscribe.wanted(of: publisher.uid) {
        mediaCommands.append(.setSubscribed(subscriber: after.client, publisher: other, tracks: tracks))
      }
      let target = after.target(of: publisher.uid)
      if target != before.target(of: publisher.uid) {
        mediaCommands.append(.setTarget(subscriber: after.client, publisher: other, target: target))
      }
    }
  }

  /// How much of what it sees a participant by WebRTC wants at most, from now on.
  mutating func setTarget(_ target: LayerTarget, client: UInt64) {
    guard let member = members[client], member.webRTC != nil else { return }
    members[client]?.webRTC?.target = target
    for publisher in member.received.keys {
      mediaCommands.append(.setTarget(subscriber: client, publisher: publisher, target: target))
    }
  }

  /// Tells the others of `member`, if they may see it.
  mutating func show(_ member: ChannelMember) {
    guard member.isVisible else { return }
    channels[member.channel]?.visibleClients[member.uid] = member.client
    for other in others(of: member) {
      if let user = route(from: member.client, to: other) { send(.userJoined(user), to: other) }
    }
  }

  /// Tells the others that they no longer see `member`.
  mutating func hide(_ member: ChannelMember, reason: UserOfflineReason) {
    channels[member.channel]?.visibleClients[member.uid] = nil
    // To be asked for once for all who look for another: a large audience does.
    let candidates = visibleOthers(of: member)
    for other in others(of: member) {
      guard unroute(from: member.client, to: other) else { continue }
      // A peer that goes takes its routes with it.
      if members[member.client] != nil {
        mediaCommands.append(.removeRoute(subscriber: other, publisher: member.client))
      }
      send(.userLeft(UserLeftResponse(uid: member.uid, reason: reason)), to: other)
      lookForAnother(other, among: candidates)
    }
  }

  /// A participant by WebRTC who sees whoever is there has lost sight of one.
  mutating func lookForAnother(_ client: UInt64, among candidates: [UInt64]) {
    guard let member = members[client], let webRTC = member.webRTC, webRTC.wantedUID == nil else { return }
    for other in candidates where other != client {
      lookCount &+= 1
      if let user = route(from: other, to: client) { return send(.userJoined(user), to: client) }
    }
  }

  /// Takes a user out of its channel; nothing happens if `client` has not joined.
  mutating func remove(_ client: UInt64, reason: UserOfflineReason) {
    if let member = takeOut(client), member.isVisible { hide(member, reason: reason) }
  }

  /// Takes a user out of its channel; the others are not told yet.
  mutating func takeOut(_ client: UInt64) -> ChannelMember? {
    guard let member = members.removeValue(forKey: client) else { return nil }
    noteSubscription(member.subscribe, nil)
    tokenDeadlines.set(client, nil)
    noticeDeadlines.set(client, nil)
    mediaCommands.append(.removePeer(client: client))
    if member.abandonTime == nil { noteChange(of: member, isPresent: false) }
    channels[member.channel]?.clients[member.uid] = nil
    channels[member.channel]?.visibleClients[member.uid] = nil
    if channels[member.channel]?.clients.isEmpty == true { channels[member.channel] = nil }
    return member
  }

  /// Sets up the way from a visible publisher to a subscriber; the answer is what the subscriber is told.
  mutating func route(from publisherClient: UInt64, to subscriberClient: UInt64) -> ChannelUser? {
    guard let publisher = members[publisherClient], publisher.isVisible,
      var subscriber = members[subscriberClient]
    else { return nil }
    let ssrcs: TrackSSRCs
    if let webRTC = subscriber.webRTC {
      guard subscriber.received.isEmpty, webRTC.wantedUID == nil || webRTC.wantedUID == publisher.uid,
        let fixed = webRTC.receiveSSRCs
      else { return nil }
      ssrcs = fixed
    } else {
      ssrcs = TrackSSRCs(
        audio: unusedSSRC(&subscriber.usedSSRCs), video: unusedSSRC(&subscriber.usedSSRCs),
        videoRTX: unusedSSRC(&subscriber.usedSSRCs))
    }
    subscriber.received[publisherClient] = ssrcs
    members[subscriberClient] = subscriber
    mediaCommands.append(
      .addRoute(
        MediaRoute(
          subscriber: subscriberClient, publisher: publisherClient, ssrcs: ssrcs,
          subscribed: subscriber.subscribe.wanted(of: publisher.uid), target: subscriber.target(of: publisher.uid),
          keepsNumbers: subscriber.webRTC != nil)))
    requestLowVideo(of: publisherClient, by: subscriber)
    return ChannelUser(
      uid: publisher.uid, published: publisher.published, ssrcs: ssrcs, mediaState: publisher.mediaState)
  }

  /// Ends a route; false if there was none. Its SSRCs stay used for the connection's life: a second stream with one of
  /// them under the same key would repeat nonces (RFC 7714 section 8.4).
  mutating func unroute(from publisher: UInt64, to subscriber: UInt64) -> Bool {
    members[subscriber]?.received.removeValue(forKey: publisher) != nil
  }
}
