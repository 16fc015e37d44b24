import CallAPI
import ControlWire
import MediaBase
import MediaSimulation
import Testing

/// Calls with a key of their own, over networks that lose and delay.
@Suite struct CallEncryptionScenarioTests {
  private func talk(
    seed: UInt64, _ callerPolicy: CallEncryptionPolicy, _ calleePolicy: CallEncryptionPolicy,
    stranger key: String? = nil
  ) throws -> (caller: SimulatedUser, callee: SimulatedUser, stranger: SimulatedUser, world: SimulatedWorld) {
    let world = SimulatedWorld(seed: seed)
    let network = NetworkConditions(
      both: LinkConditions(delay: .milliseconds(Int64(5 + seed * 7)), loss: seed % 2 == 0 ? 0.05 : 0))
    let (caller, callee, stranger) = (
      world.addUser(1, network: network), world.addUser(2, network: network), world.addUser(3, network: network)
    )
    // Knows the room, and is let in.
    stranger.encryptionKey = key
    stranger.join("secret-room", profile: .communication, role: .audience)
    caller.prepare(room: "secret-room", encryption: callerPolicy)
    callee.prepare(room: "other-room", encryption: calleePolicy)
    world.run(for: .seconds(Int64(1)))
    caller.call(2, type: .video)
    world.run(for: .seconds(Int64(1)))
    callee.accept(1)
    _ = world.run(atMost: .seconds(Int64(6))) { caller.callState == .connected && callee.callState == .connected }
    world.run(for: .seconds(Int64(3)))
    return (caller, callee, stranger, world)
  }

  @Test(arguments: 1...UInt64(6)) func bothSeeEachOtherAndWhoKnowsTheRoomSeesNothing(seed: UInt64) throws {
    let (caller, callee, stranger, world) = try talk(
      seed: seed, .required, seed % 3 == 0 ? .preferred : .required, stranger: seed % 2 == 0 ? "guess" : nil)
    defer { withExtendedLifetime(world) {} }
    #expect(caller.callState == .connected && callee.callState == .connected)
    for (user, other) in [(caller, callee), (callee, caller)] {
      #expect(user.received.count(channel: "secret-room", uid: other.uid) > 30)
      #expect(user.received.count(channel: "secret-room", uid: other.uid, isVideo: false) > 80)
      #expect(user.received.damagedCount == 0 && user.received.undecodableCount == 0)
      #expect(user.connection("secret-room")?.encryptionErrors == [])
      #expect(user.callErrors == [])
    }
    #expect(stranger.received.frames.isEmpty && stranger.received.damagedCount == 0)
    let errors = Set(stranger.connection("secret-room")?.encryptionErrors ?? [])
    #expect(errors == ["1 decryptionFailure", "2 decryptionFailure"])
  }

  @Test func theCallerShowsNothingWhileItRings() throws {
    let world = SimulatedWorld(seed: 4)
    let (caller, callee) = (world.addUser(1), world.addUser(2))
    caller.prepare(room: "secret-room", encryption: .required)
    callee.prepare(room: "other-room", encryption: .required)
    world.run(for: .seconds(Int64(1)))
    caller.call(2, type: .video)
    world.run(for: .seconds(Int64(4)))
    #expect(callee.callState == .calling)
    #expect(callee.connection("secret-room")?.visibleUsers == [1])
    #expect(callee.received.frames.isEmpty)
    #expect(callee.connection("secret-room")?.encryptionErrors == [])
  }

  @Test func aCallThatMustBeEncryptedAndCannotEndsAtOnceAndSaysWhy() throws {
    let (caller, callee, stranger, world) = try talk(seed: 5, .required, .off)
    defer { withExtendedLifetime(world) {} }
    #expect(caller.callState == .prepared && callee.callState == .prepared)
    #expect(caller.callErrors.contains { $0.contains("cannot be encrypted between the ends") })
    #expect(stranger.received.count(channel: "secret-room", uid: 1) == 0)
    #expect(callee.received.frames.isEmpty)
  }

  @Test func aCallThatNeedNotBeEncryptedIsAPlainOne() throws {
    let (caller, callee, stranger, world) = try talk(seed: 7, .preferred, .off)
    defer { withExtendedLifetime(world) {} }
    #expect(caller.callState == .connected && callee.callState == .connected)
    #expect(callee.received.count(channel: "secret-room", uid: 1) > 30)
    #expect(stranger.received.count(channel: "secret-room", uid: 1) > 30)
  }

  @Test func theSecretIsInNoMessage() throws {
    let (caller, callee, _, world) = try talk(seed: 9, .required, .required)
    defer { withExtendedLifetime(world) {} }
    let texts = caller.sentCallTexts + callee.sentCallTexts
    #expect(texts.count == 2)
    let keys = [caller, callee].compactMap(\.callKeyText)
    #expect(keys.count == 2 && keys[0] == keys[1])
    for text in texts {
      #expect(text.contains("e2ePublicKey") && !text.contains(keys[0]))
    }
  }
}
