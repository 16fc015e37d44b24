import ControlWire
import MediaBase
import Testing

@testable import ChannelCore

@Suite("What subscriptions may take") struct SubscriptionSizeTests {
  private func room() -> ChannelDirectory {
    let bytes = SeededBytes(seed: 1)
    var configuration = ChannelDirectoryConfiguration(candidates: [])
    configuration.maximumExceptionCount = 250
    return ChannelDirectory(configuration: configuration) { bytes($0) }
  }

  private func subscription(_ count: Int, layerCount: Int = 0) -> Subscription {
    func named<Value>(_ count: Int, _ value: Value) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0 + 1)", value) })
    }
    return Subscription(
      everyone: bothTracks, users: named(count, .none),
      layers: layerCount == 0 ? nil : named(layerCount, VideoLayerLimit()))
  }

  @Test("names that are no user's are not kept, those of users are")
  func names() {
    var room = room()
    var wanted = subscription(3, layerCount: 2)
    for name in ["", "0", "01", "+5", "-1", "4294967296", "x", String(repeating: "y", count: 200_000)] {
      wanted.users[name] = TrackFlags.none
      wanted.layers?[name] = VideoLayerLimit()
    }
    #expect(joined(room.join(joinRequest(9, subscribe: wanted), client: 1)) != nil)
    #expect(room.members[1]?.subscribe == subscription(3, layerCount: 2))
    room.receive(.update(UpdateRequest(requestID: 1, subscribe: wanted)), from: 1, now: .zero)
    #expect(room.members[1]?.subscribe == subscription(3, layerCount: 2) && room.exceptionCount == 5)
  }

  @Test("all together have a limit; a few are taken in any case, and who goes or wants less makes room")
  func limit() {
    var room = room()
    func update(_ subscribe: Subscription, _ client: UInt64) -> ControlErrorCode? {
      room.receive(.update(UpdateRequest(requestID: 7, subscribe: subscribe)), from: client, now: .zero)
      return errorCode(room.deliveries())
    }
    #expect(joined(room.join(joinRequest(1, subscribe: subscription(100, layerCount: 100)), client: 1)) != nil)
    #expect(errorCode(room.join(joinRequest(2, subscribe: subscription(65)), client: 2)) == .resourceLimited)
    #expect(joined(room.join(joinRequest(2, subscribe: subscription(64)), client: 3)) != nil)
    #expect(update(subscription(65), 3) == .resourceLimited)
    // In place of what it had.
    #expect(update(subscription(100, layerCount: 86), 1) == nil)
    #expect(update(subscription(10), 1) == nil)
    #expect(update(subscription(240), 3) == nil)
    #expect(update(subscription(65), 1) == .resourceLimited)
    // The same user once more, in place of the connection before; and away.
    #expect(joined(room.join(joinRequest(2, subscribe: subscription(1)), client: 4)) != nil)
    #expect(room.exceptionCount == 11)
    room.receive(.leave, from: 4, now: .zero)
    room.clientClosed(1, now: .zero)
    #expect(room.exceptionCount == 0)
  }
}
