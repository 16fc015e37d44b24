import ForwardingCore
import MediaBase
import RTPWire
import Testing

/// Applies random commands to the core and to a model that says who must get each packet.
private struct ForwardingModel {
  struct Route: Hashable {
    var subscriber: UInt64
    var publisher: UInt64
  }

  var random: SeededRandom
  let room = TestRoom()
  var published: [UInt64: ForwardedTracks] = [:]
  var wanted: [Route: ForwardedTracks] = [:]
  /// Routes whose video has had its key frame since it began.
  var started: Set<Route> = []
  /// Routes that have carried something: their SSRCs must not be used again while the subscriber's keys stay.
  var spent: Set<Route> = []
  /// How many packets each route has carried since it was made.
  var videoCounts: [Route: Int] = [:]
  var audioCounts: [Route: Int] = [:]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func pick<T>(_ values: [T]) -> T? { values.randomElement(using: &random) }
  private mutating func tracks() -> ForwardedTracks {
    ForwardedTracks(audio: .random(using: &random), video: .random(using: &random))
  }

  mutating func step() {
    let ids = published.keys.sorted()
    switch Int.random(in: 0..<20, using: &random) {
    case 0: if let id = (UInt64(1)...6).first(where: { published[$0] == nil }) { join(id) }
    case 1: if ids.count > 2, let id = pick(ids) { leave(id) }
    case 2, 3: if let id = pick(ids) { publish(id, tracks()) }
    case 4, 5: toggleRoute(pick(ids), pick(ids))
    case 6, 7:
      if let route = pick(wanted.keys.sorted { ($0.subscriber, $0.publisher) < ($1.subscriber, $1.publisher) }) {
        subscribe(route, tracks())
      }
    default: if let id = pick(ids) { send(id) }
    }
  }

  private mutating func join(_ id: UInt64) {
    published[id] = ForwardedTracks.none
    room.join(id)
    room.run(milliseconds: 2)
  }

  private mutating func leave(_ id: UInt64) {
    published[id] = nil
    for route in wanted.keys where route.subscriber == id || route.publisher == id { forget(route) }
    room.core.removePeer(client: id)
    room.peers[id] = nil
    spent = spent.filter { $0.subscriber != id }
  }

  private mutating func forget(_ route: Route) {
    if videoCounts[route] != nil || audioCounts[route] != nil { spent.insert(route) }
    wanted[route] = nil
    started.remove(route)
    videoCounts[route] = nil
    audioCounts[route] = nil
  }

  private mutating func publish(_ id: UInt64, _ tracks: ForwardedTracks) {
    if !tracks.video { started = started.filter { $0.publisher != id } }
    published[id] = tracks
    room.publish(id, tracks)
  }

  private mutating func subscribe(_ route: Route, _ tracks: ForwardedTracks) {
    if !tracks.video { started.remove(route) }
    wanted[route] = tracks
    room.subscribe(route.subscriber, to: route.publisher, tracks)
  }

  private mutating func toggleRoute(_ subscriber: UInt64?, _ publisher: UInt64?) {
    guard let subscriber, let publisher, subscriber != publisher else { return }
    let route = Route(subscriber: subscriber, publisher: publisher)
    if wanted[route] != nil {
      room.core.removeRoute(subscriber: subscriber, publisher: publisher)
      forget(route)
    } else if !spent.contains(route) {
      wanted[route] = tracks()
      room.route(from: publisher, to: subscriber, wanted[route] ?? .none)
    }
  }

  private mutating func send(_ id: UInt64) {
    guard let peer = room.peers[id] else { return }
    let isKey = Int.random(in: 0..<4, using: &random) == 0
    let count = Int.random(in: 1...4, using: &random)
    peer.sendPicture(isKey: isKey, packetCount: count)
    peer.sendAudio()
    room.turn()
    for (route, tracks) in wanted where route.publisher == id {
      if tracks.audio, published[id]?.audio == true { audioCounts[route, default: 0] += 1 }
      guard tracks.video, published[id]?.video == true else { continue }
      if isKey { started.insert(route) }
      if started.contains(route) { videoCounts[route, default: 0] += count }
    }
    for route in wanted.keys { verify(route) }
  }

  private func verify(_ route: Route) {
    guard let subscriber = room.peers[route.subscriber] else { return }
    let ssrcs = routeSSRCs(route.publisher)
    let video = subscriber.seen(ssrcs.video)
    let audio = subscriber.seen(ssrcs.audio)
    #expect(video.count == videoCounts[route] ?? 0)
    #expect(audio.count == audioCounts[route] ?? 0)
    check(isContinuous(video))
    check(isContinuous(audio))
    #expect(subscriber.rejectedCount == 0)
  }
}

@Suite struct ForwardingModelTests {
  @Test(arguments: 1...UInt64(20)) func everyPacketReachesThoseAndOnlyThoseWhoShouldGetIt(seed: UInt64) {
    var model = ForwardingModel(seed: seed)
    for _ in 0..<300 { model.step() }
  }
}
