import ChannelCore
import ControlWire
import ForwardingCore
import MediaBase
import Testing

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
}
