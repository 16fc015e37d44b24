import ControlWire
import ForwardingCore
import MediaBase
import Testing

@testable import ChannelCore

@Suite struct LayerDirectoryTests {
  @Test func whoAsksForLayersGetsAnSSRCForEachAndTheLastIsThatOfOldClients() throws {
    for (asked, expected) in [(nil, nil), (1, nil), (0, nil), (-3, nil), (2, 2), (3, 3), (900, 3)] as [(Int?, Int?)] {
      var directory = directory()
      var request = joinRequest(1)
      request.videoLayerCount = asked
      let answer = try #require(joined(directory.join(request, client: 1)))
      #expect(answer.videoLayers?.count == expected)
      guard case .addPeer(let peer)? = directory.commands().first else {
        Issue.record("no peer")
        continue
      }
      #expect(peer.layers.map(\.ssrc) == (answer.videoLayers ?? []).map(\.video))
      #expect(peer.layers.map(\.rtxSSRC) == (answer.videoLayers ?? []).map(\.videoRTX))
      guard let layers = answer.videoLayers else { continue }
      #expect(layers.last == VideoLayerSSRCs(video: answer.ssrcs.video, videoRTX: answer.ssrcs.videoRTX))
      let all = layers.flatMap { [$0.video, $0.videoRTX] } + [answer.ssrcs.audio]
      #expect(Set(all).count == all.count && !all.contains(0))
    }
  }

  @Test func limitsReachTheForwardingRoomWhereTheyChange() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    _ = directory.join(joinRequest(2), client: 2)
    var watcher = joinRequest(3, role: .audience)
    watcher.subscribe.layers = ["1": VideoLayerLimit(spatial: 0, temporal: 1)]
    _ = directory.commands()
    _ = directory.join(watcher, client: 3)
    let routes = directory.commands().compactMap { command in
      if case .addRoute(let route) = command, route.subscriber == 3 { route } else { nil as MediaRoute? }
    }
    let targets = Dictionary(uniqueKeysWithValues: routes.map { ($0.publisher, $0.target) })
    #expect(targets == [1: LayerTarget(spatial: 0, temporal: 1), 2: .best])
    func update(_ subscription: Subscription) -> [MediaCommand] {
      directory.receive(.update(UpdateRequest(requestID: 1, subscribe: subscription)), from: 3, now: .zero)
      return directory.commands()
    }
    #expect(update(watcher.subscribe).isEmpty)
    watcher.subscribe.layers = ["1": VideoLayerLimit(spatial: 0, temporal: 1), "2": VideoLayerLimit(spatial: -5)]
    #expect(update(watcher.subscribe) == [.setTarget(subscriber: 3, publisher: 2, target: LayerTarget(spatial: 0))])
    watcher.subscribe.everyoneLayers = VideoLayerLimit(temporal: 1_000)
    watcher.subscribe.layers = nil
    #expect(
      Set(update(watcher.subscribe)) == [
        .setTarget(subscriber: 3, publisher: 1, target: .best), .setTarget(subscriber: 3, publisher: 2, target: .best),
      ])
  }

  /// Who is asked for a small encoding.
  private func requested(_ deliveries: [ControlDelivery]) -> [UInt64] {
    deliveries.compactMap { $0.response == .lowVideoRequested ? $0.client : nil }
  }

  @Test
  func `a host who wants no more than the small encoding has the publisher asked for it, once; an audience has not`() {
    var directory = directory()
    for (uid, layers) in [(1, 2), (2, nil)] as [(UInt, Int?)] {
      var request = joinRequest(uid)
      request.videoLayerCount = layers
      _ = directory.join(request, client: UInt64(uid))
    }
    let small = Subscription(everyone: bothTracks, everyoneLayers: VideoLayerLimit(spatial: 0))
    #expect(requested(directory.join(joinRequest(3, role: .audience, subscribe: small), client: 3)).isEmpty)
    func update(_ client: UInt64, role: ClientRole? = nil, subscribe: Subscription? = nil) -> [UInt64] {
      directory.receive(
        .update(UpdateRequest(requestID: 1, role: role, subscribe: subscribe)), from: client, now: .zero)
      return requested(directory.deliveries())
    }
    #expect(
      update(2, subscribe: Subscription(everyone: bothTracks, layers: ["3": VideoLayerLimit(spatial: 0)])).isEmpty)
    // User 2 sends one encoding only.
    #expect(update(3, role: .broadcaster) == [1])
    #expect(update(2, subscribe: small).isEmpty)
    #expect(requested(directory.join(joinRequest(4, subscribe: small), client: 4)).isEmpty)
    // Who comes later is asked as soon as it is seen.
    var late = joinRequest(5, role: .audience)
    late.videoLayerCount = 2
    #expect(requested(directory.join(late, client: 5)).isEmpty)
    #expect(update(5, role: .broadcaster) == [5])
  }

  @Test func `viewers are told of paused videos that they receive, participants by WebRTC and others are not`() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 10)
    _ = directory.join(joinRequest(2, role: .audience), client: 20)
    directory.videoPaused(true, subscriber: 20, publisher: 10)
    let told = ChannelResponse.videoPaused(VideoPausedResponse(uid: 1, isPaused: true))
    #expect(directory.deliveries() == [ControlDelivery(client: 20, response: told, closesAfter: false)])
    directory.videoPaused(true, subscriber: 10, publisher: 20)
    directory.videoPaused(true, subscriber: 20, publisher: 99)
    directory.videoPaused(true, subscriber: 99, publisher: 10)
    #expect(directory.deliveries().isEmpty)
  }

  @Test func `what may become of videos reaches the forwarding room where it changes`() {
    var directory = directory()
    var request = joinRequest(1, role: .audience)
    request.subscribe.fallback = .videoStreamLow
    _ = directory.join(request, client: 1)
    #expect(directory.commands().contains(.setFallback(client: 1, .lowest)))
    func update(_ fallback: StreamFallbackOption?) -> [MediaCommand] {
      request.subscribe.fallback = fallback
      directory.receive(.update(UpdateRequest(requestID: 1, subscribe: request.subscribe)), from: 1, now: .zero)
      return directory.commands()
    }
    #expect(update(.videoStreamLow).isEmpty)
    #expect(update(.disabled) == [.setFallback(client: 1, .none)])
    #expect(update(nil) == [.setFallback(client: 1, .audioOnly)])
  }
}
