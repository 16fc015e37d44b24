import ControlWire
import ForwardingCore
import MediaBase

extension ChannelDirectory {
  /// - Parameter webRTC: for a participant by WebRTC.
  mutating func join(
    _ request: JoinRequest, grant: ChannelGrant, client: UInt64, webRTC: WebRTCJoin? = nil, now: MediaInstant
  ) {
    if let error = problem(with: request, client: client) { return refuse(error, client: client) }
    guard request.role == .audience || request.profile == .communication || grant.allowsBroadcasting(now) else {
      return refuse(
        ErrorResponse(
          code: .roleNotAuthorized,
          message: "The token does not allow to publish; join as audience, or with one that does."),
        client: client)
    }
    var uid = request.uid
    var watchers: [UInt64] = []
    // Joining again over another connection gives nobody more to say.
    var (notices, data) = (
      NoticeAllowance(burst: configuration.noticeBurst, rate: configuration.noticeRate), DataStreamAllowance(seconds: 2)
    )
    if uid == 0 {
      uid = unusedUID(in: request.channel)
    } else if let older = channels[request.channel]?.clients[uid] {
      if let member = members[older] { (notices, data) = (member.notices, member.dataAllowance) }
      watchers = evict(older)
    }
    var used: Set<UInt32> = []
    let ssrcs = webRTC?.sendSSRCs ?? sendSSRCs(&used)
    let layers = webRTC == nil ? videoLayers(request.videoLayerCount ?? 1, largest: ssrcs, &used) : []
    used.formUnion([ssrcs.audio, ssrcs.video, ssrcs.videoRTX])
    for layer in webRTC?.sendLayers ?? [] { used.formUnion([layer.ssrc, layer.rtxSSRC]) }
    var member = ChannelMember(
      client: client, uid: uid, channel: request.channel, profile: request.profile, role: request.role,
      publish: request.publish, subscribe: request.subscribe, ssrcs: ssrcs,
      usedSSRCs: used, webRTC: webRTC, mediaState: request.mediaState)
    member.hasLowVideo = !layers.isEmpty
    member.grant = grant
    // Who takes the place of a user that others see stays one that they see.
    member.isAwaited = webRTC != nil && watchers.isEmpty
    member.publishable = grant.publishable(now)
    member.maySendData = grant.publishData.allows(now)
    member.isAudioFilterable = request.isAudioFilterable ?? true
    (member.notices, member.dataAllowance) = (notices, data)
    noteSubscription(nil, member.subscribe)
    tokenDeadlines.set(client, member.tokenDeadline(after: now))
    members[client] = member
    var channel = channels[request.channel] ?? newChannel(request.profile)
    channel.clients[uid] = client
    channels[request.channel] = channel
    noteChange(of: member, isPresent: true)

    let keys = SRTPParameters(clientKey: hexadecimal(28), serverKey: hexadecimal(28))
    var peer = MediaPeer(
      client: client, channel: member.isAudioFilterable ? channel.number : 0, localICE: iceParameters(),
      remoteICE: request.ice,
      security: webRTC.map { .dtls(fingerprint: $0.fingerprint) } ?? .keys(keys), ssrcs: ssrcs,
      format: webRTC?.format ?? ForwardedFormat(configuration.rtp))
    peer.layers = layers.map { ForwardedLayer(ssrc: $0.video, rtxSSRC: $0.videoRTX) }
    if let webRTC {
      peer.layers = webRTC.sendLayers
      peer.audioMediaID = webRTC.audioMediaID
      peer.videoMediaID = webRTC.videoMediaID
      peer.provedHost = webRTC.provedHost
    }
    mediaCommands.append(.addPeer(peer))
    mediaCommands.append(.setPublished(client: client, tracks: member.published))
    if request.subscribe.fallback != nil {
      mediaCommands.append(.setFallback(client: client, VideoFallback(request.subscribe.fallback)))
    }
    let users = visibleOthers(of: member).compactMap { route(from: $0, to: client) }
    send(
      .joined(
        JoinedResponse(
          uid: uid, ice: peer.localICE, candidates: configuration.candidates, srtp: keys, rtp: configuration.rtp,
          ssrcs: ssrcs, users: users, videoLayers: layers.isEmpty ? nil : layers,
          maySendData: member.maySendData ? nil : false)), to: client)
    show(member)
    finishHandOver(to: member, seenBy: watchers)
  }

  private mutating func newChannel(_ profile: ChannelProfile) -> Channel {
    channelNumber += 1
    return Channel(profile: profile, number: channelNumber)
  }

  /// Why `request` cannot be granted, or `nil`.
  private func problem(with request: JoinRequest, client: UInt64) -> ErrorResponse? {
    guard members[client] == nil else {
      return ErrorResponse(
        code: .invalidState, message: "This connection has joined already; open another to join again.")
    }
    guard request.version == ControlProtocol.version else {
      return ErrorResponse(
        code: .unsupportedVersion,
        message:
          "The server speaks version \(ControlProtocol.version), not \(request.version); use a matching client.")
    }
    guard ControlProtocol.isValidChannelName(request.channel) else {
      return ErrorResponse(
        code: .invalidChannelName,
        message: "The channel's name must be 1 to 63 letters, digits, spaces or allowed punctuation; choose another.")
    }
    guard request.uid == 0 || ControlProtocol.isValidUID(request.uid) else {
      return ErrorResponse(
        code: .invalidUID, message: "uid \(request.uid) is out of range; use 1 to 4294967295, or 0 to be given one.")
    }
    guard request.ice.isValid else {
      return ErrorResponse(
        code: .invalidArgument,
        message: "ice is out of range; send 4 to 256 and 22 to 256 letters, digits, + or /.")
    }
    if let error = self.problem(with: request.subscribe, insteadOf: nil) { return error }
    guard let channel = channels[request.channel] else {
      return channels.count < configuration.maximumChannelCount
        ? nil : ErrorResponse(code: .resourceLimited, message: "The server has no room for a channel; try again later.")
    }
    guard channel.profile == request.profile else {
      return ErrorResponse(
        code: .invalidArgument,
        message: "The channel has profile \(channel.profile), not \(request.profile); join with the same profile.")
    }
    guard channel.clients.count < configuration.maximumUserCount || channel.clients[request.uid] != nil else {
      return ErrorResponse(code: .resourceLimited, message: "The channel is full; try again later.")
    }
    return nil
  }

  /// The newer connection of a uid wins. Returns who saw the older one.
  private mutating func evict(_ client: UInt64) -> [UInt64] {
    let watchers = handOver(client)
    let error = ErrorResponse(
      code: .sameUIDLogin, message: "The same uid has joined from elsewhere; leave there first to join here.")
    deliveries.append(ControlDelivery(client: client, response: .removed(error), closesAfter: true))
    return watchers
  }
}
