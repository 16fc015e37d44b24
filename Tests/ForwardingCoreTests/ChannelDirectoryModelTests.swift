@testable import ChannelCore
import ControlWire
import MediaBase
import Testing

/// What one client believes from the messages it got.
private struct Belief {
  var uid: UInt
  var own: TrackSSRCs
  var users: [UInt: ChannelUser] = [:]
}

/// What the rules say about one client, kept without the code under test.
private struct Truth {
  var channel: String
  var uid: UInt
  var role: ClientRole
  var publish: TrackFlags
  var subscribe: Subscription
  var grant: ChannelGrant

  /// What the token allows of what the user wants, if it was looked at just now.
  func published(_ now: MediaInstant) -> TrackFlags {
    TrackFlags(
      audio: publish.audio && allows(grant.publishAudio, now), video: publish.video && allows(grant.publishVideo, now))
  }

  func allows(_ permission: ChannelGrant.Permission, _ now: MediaInstant) -> Bool {
    switch permission {
    case .denied: false
    case .until(let end): now < end
    case .unlimited: true
    }
  }

  var isVisible: Bool { channel == "call" || role == .broadcaster }
}

private struct RouteKey: Hashable {
  var subscriber: UInt64
  var publisher: UInt64
}

/// Applies random requests to the directory and to a model.
private struct ModelCheck {
  var random: SeededRandom
  var subject: ChannelDirectory
  var truths: [UInt64: Truth] = [:]
  var beliefs: [UInt64: Belief] = [:]
  var published: [UInt64: TrackFlags] = [:]
  var routes: [RouteKey: MediaRoute] = [:]
  var now = MediaInstant(nanoseconds: 1_000_000_000)

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    subject = directory(seed: seed)
  }

  private mutating func flags() -> TrackFlags {
    TrackFlags(audio: .random(using: &random), video: .random(using: &random))
  }

  private mutating func subscription() -> Subscription {
    Subscription(everyone: flags(), users: [String(UInt.random(in: 1...5, using: &random)): flags()])
  }

  private mutating func role() -> ClientRole { Bool.random(using: &random) ? .broadcaster : .audience }

  private mutating func permission(_ choices: ClosedRange<Int>) -> ChannelGrant.Permission {
    switch Int.random(in: choices, using: &random) {
    case 0: .denied
    case 1: .until(now + .seconds(Int64.random(in: 1...100, using: &random)))
    default: .unlimited
    }
  }

  private mutating func grant() -> ChannelGrant {
    ChannelGrant(
      join: permission(1...4), publishAudio: permission(0...4), publishVideo: permission(0...4),
      publishData: permission(0...4))
  }

  /// What ends with time.
  private mutating func passTime() {
    now = now + .seconds(Int64.random(in: 0...3, using: &random))
    if let due = subject.nextTimeout, due <= now { subject.handleTimeout(now: now) }
    // Told before whatever comes next: who is told of others may be gone by that.
    apply()
    truths = truths.filter { truth in
      if case .until(let end) = truth.value.grant.join { now < end } else { true }
    }
    #expect(subject.nextTimeout.map { $0 > now } ?? true, "nothing is left to do at this moment")
  }

  mutating func step() {
    passTime()
    let client = UInt64.random(in: 1...8, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: join(client)
    case 4..<8: update(client)
    case 8:
      subject.receive(.leave, from: client, now: now)
      truths[client] = nil
    default:
      subject.clientClosed(client, now: now)
      truths[client] = nil
      beliefs[client] = nil
    }
    apply()
    for channel in subject.channels.values {
      let visible = channel.clients.filter { subject.members[$0.value]?.isVisible == true }
      #expect(channel.visibleClients == visible)
    }
  }

  private mutating func join(_ client: UInt64) {
    let channel = ["call", "live", "show"].randomElement(using: &random) ?? "call"
    let request = joinRequest(
      UInt.random(in: 1...5, using: &random), channel: channel,
      profile: channel == "call" ? .communication : .liveBroadcasting, role: role(), publish: flags(),
      subscribe: subscription())
    let grant = grant()
    subject.receive(.join(request), grant: grant, from: client, now: now)
    guard truths[client] == nil else { return }
    guard
      request.role == .audience || channel == "call" || grant.publishAudio != .denied || grant.publishVideo != .denied
        || grant.publishData != .denied
    else {
      beliefs[client] = nil
      return
    }
    truths = truths.filter { $0.value.channel != channel || $0.value.uid != request.uid }
    truths[client] = Truth(
      channel: channel, uid: request.uid, role: request.role, publish: request.publish, subscribe: request.subscribe,
      grant: grant)
  }

  private mutating func update(_ client: UInt64) {
    var request = UpdateRequest(requestID: 1)
    if Bool.random(using: &random) { request.role = role() }
    if Bool.random(using: &random) { request.publish = flags() }
    if Bool.random(using: &random) { request.subscribe = subscription() }
    let grant: ChannelGrant? = Bool.random(using: &random) ? grant() : nil
    subject.receive(.update(request), grant: grant, from: client, now: now)
    guard var truth = truths[client] else { return }
    truth.grant = grant ?? truth.grant
    truth.publish = TrackFlags(audio: true, video: true)
    if request.role == .broadcaster, truth.role == .audience, truth.published(now) == .none,
      !truth.allows(truth.grant.publishData, now)
    {
      return
    }
    if let grant { truths[client]?.grant = grant }
    if let role = request.role { truths[client]?.role = role }
    if let publish = request.publish { truths[client]?.publish = publish }
    if let subscribe = request.subscribe { truths[client]?.subscribe = subscribe }
  }

  private mutating func apply() {
    for delivery in subject.deliveries() {
      let client = delivery.client
      switch delivery.response {
      case .joined(let response):
        #expect(Set(response.users.map(\.uid)).count == response.users.count)
        let users = Dictionary(response.users.map { ($0.uid, $0) }) { first, _ in first }
        beliefs[client] = Belief(uid: response.uid, own: response.ssrcs, users: users)
      case .userJoined(let user):
        // A user who has come again over another connection goes on by other SSRCs.
        #expect(beliefs[client] != nil && beliefs[client]?.users[user.uid]?.ssrcs != user.ssrcs, "told twice")
        beliefs[client]?.users[user.uid] = user
      case .userUpdated(let change):
        #expect(beliefs[client]?.users[change.uid]?.published != change.published, "told of no change")
        beliefs[client]?.users[change.uid]?.published = change.published
      case .userLeft(let left):
        #expect(beliefs[client]?.users.removeValue(forKey: left.uid) != nil, "told of a stranger")
      case .videoPaused, .lowVideoRequested: Issue.record("nobody sends two videos, and none has been paused")
      case .streamMessage: Issue.record("nobody has sent data")
      case .updated, .tokenWillExpire, .error, .removed, nil: break
      }
      if delivery.closesAfter { beliefs[client] = nil }
    }
    for command in subject.commands() { apply(command) }
  }

  private mutating func apply(_ command: MediaCommand) {
    switch command {
    case .addPeer(let peer):
      #expect(published.updateValue(.none, forKey: peer.client) == nil)
    case .setTarget(let subscriber, let publisher, _):
      #expect(routes[RouteKey(subscriber: subscriber, publisher: publisher)] != nil)
    case .restartICE(let client, _, _): #expect(published[client] != nil)
    case .setFallback(let client, _): #expect(published[client] != nil)
    case .setVoiceChannel(let client, _): #expect(published[client] != nil)
    case .removePeer(let client):
      #expect(published.removeValue(forKey: client) != nil)
      routes = routes.filter { $0.key.subscriber != client && $0.key.publisher != client }
    case .setPublished(let client, let tracks):
      #expect(published.updateValue(tracks, forKey: client) != nil)
    case .addRoute(let route):
      let key = RouteKey(subscriber: route.subscriber, publisher: route.publisher)
      #expect(routes.updateValue(route, forKey: key) == nil)
    case .setSubscribed(let subscriber, let publisher, let tracks):
      let key = RouteKey(subscriber: subscriber, publisher: publisher)
      #expect(routes[key] != nil)
      routes[key]?.subscribed = tracks
    case .removeRoute(let subscriber, let publisher):
      #expect(routes.removeValue(forKey: RouteKey(subscriber: subscriber, publisher: publisher)) != nil)
    }
  }

  /// Everybody believes what is true, and the forwarding room has exactly the routes that follow from it.
  func agrees() -> Bool {
    guard Set(beliefs.keys) == Set(truths.keys), Set(published.keys) == Set(truths.keys) else { return false }
    var routeCount = 0
    for (client, truth) in truths {
      guard let belief = beliefs[client], belief.uid == truth.uid,
        published[client] == (truth.isVisible ? truth.published(now) : TrackFlags.none)
      else { return false }
      let seen = truths.filter { $0.key != client && $0.value.channel == truth.channel && $0.value.isVisible }
      guard belief.users.count == seen.count else { return false }
      routeCount += seen.count
      for (publisher, other) in seen {
        guard let user = belief.users[other.uid], user.published == other.published(now),
          let route = routes[RouteKey(subscriber: client, publisher: publisher)], route.ssrcs == user.ssrcs,
          route.subscribed == truth.subscribe.wanted(of: other.uid)
        else { return false }
      }
      let ssrcs = ([belief.own] + belief.users.values.map(\.ssrcs)).flatMap { [$0.audio, $0.video, $0.videoRTX] }
      guard Set(ssrcs).count == ssrcs.count else { return false }
    }
    return routes.count == routeCount && subject.userCount == truths.count
      && subject.channelCount == Set(truths.values.map(\.channel)).count
  }
}

@Suite struct ChannelDirectoryModelTests {
  @Test(arguments: UInt64(1)...20) func whatClientsBelieveIsTrueAfterEveryRequest(seed: UInt64) {
    var check = ModelCheck(seed: seed)
    for step in 0..<500 {
      check.step()
      guard check.agrees() else {
        Issue.record("model and directory differ after step \(step) of seed \(seed)")
        return
      }
    }
  }
}
