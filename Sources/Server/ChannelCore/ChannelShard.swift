public import ControlWire
public import ForwardingCore
import ICEAgent
public import MediaBase
public import SecureChannel

/// One worker's channels: the control plane and the packet path together, without input and output.
///
/// After requests, poll `pollControl()` until it is nil; after datagrams, drain. One thread owns it.
public struct ChannelShard: ~Copyable {
  private var directory: ChannelDirectory
  private var forwarding: ForwardingCore
  /// Connections whose media is gone, to be closed.
  private var closing: [UInt64] = []
  private var lostUserCount = 0
  /// When to look at users whose control connection has ended without a goodbye.
  private var abandoned = DeadlineQueue<UInt64>()
  private let abandonTimeout: MediaDuration
  private let silenceTimeout: MediaDuration

  /// Makes a shard without channels.
  ///
  /// - Parameters:
  ///   - dtls: for participants by WebRTC; without it there can be none.
  ///   - randomBytes: returns as many unpredictable bytes as asked for; keys, passwords and SSRCs come from it.
  public init(
    configuration: ShardConfiguration, crypto: CryptoProvider, dtls: (any DTLSProvider)? = nil,
    randomBytes: @escaping @Sendable (Int) -> [UInt8],
    now: MediaInstant
  ) {
    directory = ChannelDirectory(configuration: configuration.directory, randomBytes: randomBytes)
    abandonTimeout = configuration.abandonTimeout
    silenceTimeout = configuration.forwarding.silenceTimeout
    let seed = randomBytes(8).reduce(UInt64(0)) { $0 &<< 8 | UInt64($1) }
    forwarding = ForwardingCore(
      configuration: configuration.forwarding, crypto: crypto, dtls: dtls, seed: seed)
  }

  /// Takes a request that came on control connection `client`.
  ///
  /// - Parameter grant: what the token in it allows; nil if there is none in it. Who joins without one may do everything.
  public mutating func receive(
    _ request: ChannelRequest, grant: ChannelGrant? = nil, from client: UInt64, now: MediaInstant
  ) {
    directory.receive(request, grant: grant, from: client, now: now)
    applyCommands(now: now)
  }

  /// A participant by WebRTC wants to join. The answer comes by `pollControl()`, as all that follows.
  public mutating func join(
    _ request: JoinRequest, grant: ChannelGrant = .unlimited, by webRTC: WebRTCJoin, from client: UInt64,
    now: MediaInstant
  ) {
    directory.join(request, grant: grant, client: client, webRTC: webRTC, now: now)
    applyCommands(now: now)
  }

  /// How much of the video that it sees a participant by WebRTC wants at most, from now on. Nothing happens if `client` is
  /// none.
  public mutating func setTarget(_ target: LayerTarget, of client: UInt64, now: MediaInstant) {
    directory.setTarget(target, client: client)
    applyCommands(now: now)
  }

  /// The user of connection `client` restarts ICE with these credentials. Returns the server's new ones; `nil`, and nothing
  /// happens, if there is no such user or its credentials are none.
  public mutating func restartICE(_ ice: ICEParameters, of client: UInt64, now: MediaInstant) -> ICEParameters? {
    let local = directory.restartICE(ice, client: client)
    applyCommands(now: now)
    return local
  }

  /// Control connection `client` has ended, whoever ended it. A user who has not left stays for a while if its media has
  /// been there: its network may only be cut, and then it comes again.
  public mutating func clientClosed(_ client: UInt64, now: MediaInstant) {
    if forwarding.lifeTime(of: client, now: now) != nil, directory.abandon(client, now: now) {
      abandoned.set(client, now + abandonTimeout)
    } else {
      directory.clientClosed(client, now: now)
    }
    applyCommands(now: now)
  }

  /// Drops abandoned users who do not come back: soon if their media has ended too, as it does when a process is killed.
  private mutating func dropAbandoned(now: MediaInstant) {
    while let client = abandoned.popFirst(dueAt: now) {
      guard let start = directory.abandonTime(of: client) else { continue }
      let life = forwarding.lifeTime(of: client, now: now) ?? start
      let end = min(max(life, start) + abandonTimeout, start + silenceTimeout)
      if end <= now { directory.clientClosed(client, now: now) } else { abandoned.set(client, end) }
    }
  }

  /// The next message for a control connection, or to close it; nil when there is none.
  public mutating func pollControl() -> ControlDelivery? {
    if let delivery = directory.pollDelivery() { return delivery }
    guard let client = closing.popLast() else { return nil }
    return ControlDelivery(client: client, response: nil, closesAfter: true)
  }

  /// The next change of who is in which communication channel; nil when there is none.
  public mutating func pollPresence() -> ChannelPresence? { directory.pollPresence() }

  /// Tells a user of a channel something that it has not asked for.
  public mutating func tell(_ error: ErrorResponse, uid: UInt, in channel: String) {
    directory.tell(error, uid: uid, in: channel)
  }

  /// Takes a datagram that came from `source`; its bytes are decrypted in place.
  public mutating func receive(
    datagram: UnsafeMutableRawBufferPointer, from source: TransportAddress, now: MediaInstant
  ) {
    forwarding.receive(datagram: datagram, from: source, now: now)
    // Who has just connected is shown to others at once.
    guard forwarding.hasEvents else { return }
    takeEvents(now: now)
    applyCommands(now: now)
  }

  private mutating func takeEvents(now: MediaInstant) {
    while let event = forwarding.pollEvent() { take(event, now: now) }
  }

  /// Whether a connectivity check has proved that the address is a user's.
  public func hasPeer(at address: TransportAddress) -> Bool { forwarding.hasPeer(at: address) }

  /// Hands over whose datagrams can have an effect; see `ForwardingCore.forEachKnownSender`.
  public func forEachKnownSender(address: (TransportAddress) -> Void, usernameFragment: (String) -> Void) {
    forwarding.forEachKnownSender(address: address, usernameFragment: usernameFragment)
  }

  /// Grows with each one that is added to these.
  public var knownSenderAdditions: UInt64 { forwarding.knownSenderAdditions }

  /// Datagrams that came from nobody known and were for nobody known.
  public var strangersDatagrams: UInt64 { forwarding.statistics.droppedUnknown }

  /// The TCP connection to `address` has ended.
  public mutating func pathClosed(_ address: TransportAddress, now: MediaInstant) {
    forwarding.pathClosed(address, now: now)
  }

  /// Writes the next datagrams for one destination to the start of `slab` (best 64 KiB, at least 1,500 bytes); nil when
  /// there is nothing more to send now.
  public mutating func drain(into slab: UnsafeMutableRawBufferPointer, now: MediaInstant) -> ForwardRun? {
    forwarding.drain(into: slab, now: now)
  }

  /// Does everything that has become due; then drain, and poll control.
  public mutating func handleTimeout(now: MediaInstant) {
    forwarding.handleTimeout(now: now)
    takeEvents(now: now)
    dropAbandoned(now: now)
    directory.handleTimeout(now: now)
    applyCommands(now: now)
  }

  private mutating func take(_ event: ForwardingEvent, now: MediaInstant) {
    switch event {
    case .peerConnected(let client): directory.connected(client)
    case .peerSilent(let client): directory.setAway(true, client: client, now: now)
    case .peerHeard(let client): directory.setAway(false, client: client, now: now)
    case .videoPaused(let subscriber, let publisher, let isPaused):
      directory.videoPaused(isPaused, subscriber: subscriber, publisher: publisher)
    case .peerLost(let client):
      // The user goes, and the connection is closed so that a client that is still there joins again.
      lostUserCount += 1
      closing.append(client)
      directory.clientClosed(client, now: now)
    }
  }

  /// When `handleTimeout(now:)` wants to be called; nil while nobody is here.
  public var nextTimeout: MediaInstant? {
    .earliest(.earliest(forwarding.nextTimeout, directory.nextTimeout), abandoned.nextTime)
  }

  /// What it carries.
  public var statistics: ShardStatistics {
    ShardStatistics(
      channelCount: directory.channelCount, userCount: directory.userCount, lostUserCount: lostUserCount,
      forwarding: forwarding.statistics)
  }

  /// Its channels, by name.
  public var channels: [ChannelSummary] { directory.summaries }

  /// What it holds at the moment.
  public var holdings: ShardHoldings {
    ShardHoldings(
      channelCount: directory.channelCount, userCount: directory.userCount, peerCount: forwarding.peerCount,
      routeCount: forwarding.routeCount, streamCount: forwarding.streamCount)
  }

  private mutating func applyCommands(now: MediaInstant) {
    while let command = directory.pollMediaCommand() { apply(command, now: now) }
  }

  private mutating func apply(_ command: MediaCommand, now: MediaInstant) {
    switch command {
    case .addPeer(let peer):
      // Fails only if the cryptographic library does; then the media never connects, and the client tries again.
      guard let description = ForwardingPeer(peer), forwarding.addPeer(description, now: now) else {
        return closing.append(peer.client)
      }
    case .restartICE(let client, let local, let remote):
      // Fails only for a user who is being lost.
      _ = forwarding.restartICE(
        client: client, localCredentials: ICECredentials(local), remoteCredentials: ICECredentials(remote))
    case .removePeer(let client): forwarding.removePeer(client: client)
    case .setPublished(let client, let tracks):
      forwarding.setPublished(client: client, tracks: ForwardedTracks(tracks), now: now)
    case .setVoiceChannel(let client, let channel): forwarding.setVoiceChannel(client: client, channel: channel)
    case .addRoute(let route):
      guard forwarding.addRoute(ForwardingRoute(route), now: now) else { return }
      forwarding.setTarget(subscriber: route.subscriber, publisher: route.publisher, route.target, now: now)
    case .setTarget(let subscriber, let publisher, let target):
      forwarding.setTarget(subscriber: subscriber, publisher: publisher, target, now: now)
    case .setFallback(let client, let fallback): forwarding.setFallback(fallback, client: client, now: now)
    case .setSubscribed(let subscriber, let publisher, let tracks):
      forwarding.setSubscribed(
        subscriber: subscriber, publisher: publisher, tracks: ForwardedTracks(tracks), now: now)
    case .removeRoute(let subscriber, let publisher):
      forwarding.removeRoute(subscriber: subscriber, publisher: publisher)
    }
  }
}
