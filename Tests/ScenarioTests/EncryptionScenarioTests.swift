import ControlWire
import MediaBase
import MediaSimulation
import Testing

/// Encryption between the ends, with the real server between them.
@Suite struct EncryptionScenarioTests {
  private static let everything = TrackFlags(audio: true, video: true)

  /// A host with the key "key" and viewers with the given keys, in the channel "show" for three seconds.
  private func show(
    seed: UInt64, loss: Double = 0, hostKey: String? = "key", viewers keys: [String?], sendsLowVideo: Bool = false
  ) -> (world: SimulatedWorld, host: SimulatedUser, viewers: [SimulatedUser]) {
    let world = SimulatedWorld(seed: seed)
    let network = NetworkConditions(both: LinkConditions(delay: .milliseconds(15), loss: loss))
    let host = world.addUser(1, network: network)
    host.encryptionKey = hostKey
    host.join("show", role: .broadcaster, publish: Self.everything, sendsLowVideo: sendsLowVideo)
    let viewers = keys.enumerated().map { index, key in
      let viewer = world.addUser(UInt(index) + 2, network: network)
      viewer.encryptionKey = key
      viewer.join("show", role: .audience)
      return viewer
    }
    world.run(for: .seconds(Int64(3)))
    return (world, host, viewers)
  }

  /// The longest time between two pictures that followed each other in the viewer's eyes.
  private func longestGap(_ viewer: SimulatedUser, since start: MediaInstant) -> MediaDuration {
    let times = viewer.received.frames.filter { $0.isVideo && $0.arrivalTime >= start }.map(\.captureTime)
    return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .seconds(Int64(1_000))
  }

  private func count(_ viewer: SimulatedUser, isVideo: Bool = true, since start: MediaInstant = .zero) -> Int {
    viewer.received.count(channel: "show", uid: 1, isVideo: isVideo, arrivedAfter: start)
  }

  @Test(arguments: 1...UInt64(4)) func whoHasTheKeySeesAndHearsEverythingAndNobodyElseAnything(seed: UInt64) throws {
    let (world, _, viewers) = show(
      seed: seed, loss: seed % 2 == 0 ? 0.05 : 0, viewers: ["key", "wrong key", nil])
    world.run(for: .seconds(Int64(9)))
    let (right, wrong, none) = (viewers[0], viewers[1], viewers[2])
    #expect(count(right) > 150)
    #expect(count(right, isVideo: false) > 500)
    #expect(right.received.damagedCount == 0 && right.received.undecodableCount == 0)
    #expect(right.connection("show")?.encryptionErrors == [])
    #expect(right.connection("show")?.calmVideoStates(of: 1) == ["starting/internal", "decoding/remoteUnmuted"])
    for viewer in [wrong, none] {
      #expect(viewer.received.frames.isEmpty && viewer.received.damagedCount == 0)
      let connection = try #require(viewer.connection("show"))
      #expect(connection.videoStates == ["1 starting/internal", "1 failed/internal"])
      #expect(connection.audioStates == ["1 starting/internal", "1 failed/internal"])
      // Twelve seconds, and one report in five.
      #expect((2...3).contains(connection.encryptionErrors.count))
      #expect(Set(connection.encryptionErrors) == ["1 decryptionFailure"])
      #expect(connection.errors.count == connection.encryptionErrors.count)
      #expect(connection.errors.allSatisfy { $0.hasPrefix("decryptionFailed:") })
    }
    // Those who cannot decrypt do not make the others pay with key frames.
    #expect(count(right) < 200)
  }

  @Test func aPlainSenderIsRefusedByThoseWhoEncrypt() throws {
    let (world, _, viewers) = show(seed: 3, hostKey: nil, viewers: ["key", nil])
    defer { withExtendedLifetime(world) {} }
    #expect(viewers[0].received.frames.isEmpty)
    let connection = try #require(viewers[0].connection("show"))
    #expect(connection.encryptionErrors == ["1 decryptionFailure"])
    #expect(connection.videoStates.last == "1 failed/internal")
    #expect(count(viewers[1]) > 20)
  }

  @Test(arguments: [0, 0.05]) func aNewKeyAndEveryStepOfTheRatchetLeaveNoGap(loss: Double) throws {
    let (world, host, viewers) = show(seed: 8, loss: loss, viewers: ["key", "key"])
    let start = world.now
    for round in 1...20 {
      if round % 5 == 0 {
        // Half way of the frames that are under way.
        host.encrypt("show", key: "key \(round)")
        for viewer in viewers { viewer.encrypt("show", key: "key \(round)") }
      } else {
        host.ratchet("show")
      }
      world.run(for: .milliseconds(500))
    }
    for viewer in viewers {
      #expect(longestGap(viewer, since: start) <= .milliseconds(loss == 0 ? 67 : 700))
      #expect(viewer.received.damagedCount == 0 && viewer.received.undecodableCount == 0)
      #expect(viewer.connection("show")?.encryptionErrors == [])
      // 10 seconds of sound; what is lost is not sent again.
      #expect(count(viewer, isVideo: false, since: start) > (loss == 0 ? 495 : 400))
    }
  }

  @Test func whoGetsTheNewKeyLateMissesTheTimeBetweenAndNoMore() throws {
    let (world, host, viewers) = show(seed: 9, viewers: ["key"])
    let start = world.now
    host.encrypt("show", key: "new key")
    world.run(for: .seconds(Int64(2)))
    viewers[0].encrypt("show", key: "new key")
    let changed = world.now
    world.run(for: .seconds(Int64(2)))
    let first = try #require(viewers[0].received.frames.first { $0.isVideo && $0.arrivalTime >= changed })
    // A round trip to ask for a key frame, and a picture's time for it to be made.
    #expect(first.arrivalTime - changed < .milliseconds(250))
    #expect(viewers[0].received.undecodableCount == 0)
    #expect(count(viewers[0], since: changed) > 25)
    #expect(viewers[0].connection("show")?.encryptionErrors == ["1 decryptionFailure"])
    #expect(longestGap(viewers[0], since: start) < .milliseconds(2_250))
  }

  @Test func theOldKeyIsGoodForAWhileOnly() throws {
    let (world, _, viewers) = show(seed: 10, viewers: ["key"])
    viewers[0].encrypt("show", key: "new key")
    world.run(for: .seconds(Int64(9)))
    #expect(longestGap(viewers[0], since: .zero) <= .milliseconds(67))
    world.run(for: .seconds(Int64(2)))
    let end = world.now
    world.run(for: .seconds(Int64(3)))
    #expect(count(viewers[0], since: end) == 0)
    #expect(viewers[0].connection("show")?.videoStates.last == "1 failed/internal")
  }

  @Test func viewersChangeBetweenTheStreamsOfAnEncryptedHost() throws {
    let (world, _, viewers) = show(seed: 11, viewers: ["key", "key"], sendsLowVideo: true)
    let small = Subscription(everyone: Self.everything, everyoneLayers: VideoLayerLimit(spatial: 0))
    let large = Subscription(everyone: Self.everything)
    for round in 0..<6 {
      for (index, viewer) in viewers.enumerated() {
        viewer.update("show", subscribe: (round + index) % 2 == 0 ? small : large)
      }
      world.run(for: .seconds(Int64(2)))
      let settled = world.now
      world.run(for: .seconds(Int64(1)))
      for (index, viewer) in viewers.enumerated() {
        let pictures = viewer.received.frames.filter { $0.isVideo && $0.arrivalTime >= settled }
        #expect(pictures.count > 8)
        #expect(pictures.allSatisfy { $0.isLow == ((round + index) % 2 == 0) })
      }
    }
    for viewer in viewers {
      #expect(viewer.received.damagedCount == 0 && viewer.received.undecodableCount == 0)
      #expect(viewer.connection("show")?.encryptionErrors == [])
    }
  }

  @Test func aServerThatBeginsAnewChangesNothingAboutTheKey() throws {
    let (world, host, viewers) = show(seed: 12, viewers: ["key", "wrong key"])
    for _ in 0..<3 {
      world.restartMediaServer()
      world.run(for: .seconds(Int64(4)))
    }
    let end = world.now
    world.run(for: .seconds(Int64(2)))
    #expect(host.connection("show")?.rejoinCount == 3)
    #expect(count(viewers[0], since: end) > 25)
    #expect(count(viewers[0], isVideo: false, since: end) > 90)
    #expect(viewers[0].received.damagedCount == 0 && viewers[0].received.undecodableCount == 0)
    #expect(viewers[0].connection("show")?.encryptionErrors == [])
    #expect(viewers[1].received.frames.isEmpty)
  }

  @Test func whoComesAgainIsUnderstoodAgain() throws {
    let (world, host, viewers) = show(seed: 13, viewers: ["key"])
    for _ in 0..<6 {
      host.leave("show")
      world.run(for: .milliseconds(300))
      host.join("show", role: .broadcaster, publish: Self.everything)
      world.run(for: .seconds(Int64(1)))
      let end = world.now
      world.run(for: .seconds(Int64(1)))
      #expect(count(viewers[0], since: end) > 12)
    }
    #expect(viewers[0].connection("show")?.encryptionErrors == [])
  }

  @Test func encryptionMayBeTurnedOnAndOffInTheChannel() throws {
    let (world, host, viewers) = show(seed: 14, hostKey: nil, viewers: [nil, nil])
    for isOn in [true, false, true, false] {
      host.encrypt("show", key: isOn ? "key" : nil)
      viewers[0].encrypt("show", key: isOn ? "key" : nil)
      world.run(for: .seconds(Int64(1)))
      let end = world.now
      world.run(for: .seconds(Int64(2)))
      #expect(count(viewers[0], since: end) > 25)
      #expect(count(viewers[0], isVideo: false, since: end) > 90)
      #expect((count(viewers[1], since: end) == 0) == isOn)
      #expect((count(viewers[1], isVideo: false, since: end) == 0) == isOn)
    }
    for viewer in viewers { #expect(viewer.received.damagedCount == 0 && viewer.received.undecodableCount == 0) }
  }

  @Test func messagesAreForThoseWithTheKey() throws {
    let (world, host, viewers) = show(seed: 15, viewers: ["key", "wrong key", nil])
    let long = String(repeating: "m", count: 1_024)
    host.sendMessage("show", stream: 1, sequence: 1, "hello")
    host.sendMessage("show", stream: 2, sequence: 1, long)
    world.run(for: .seconds(Int64(1)))
    #expect(viewers[0].connection("show")?.messages == ["1/1 hello", "1/2 \(long)"])
    for viewer in viewers[1...] {
      let connection = try #require(viewer.connection("show"))
      #expect(connection.messages.isEmpty)
      #expect(connection.encryptionErrors.contains("1 dataStreamDecryptionFailure"))
      #expect(connection.errors.contains { $0.hasPrefix("dataStreamDecryptionFailed:") })
    }
  }
}
