import ChannelCore
import ControlWire
import MediaBase
import Synchronization
import Testing

/// Repeatable "random" bytes.
final class SeededBytes: Sendable {
  private let random: Mutex<SeededRandom>

  init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

  func callAsFunction(_ count: Int) -> [UInt8] {
    random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
  }
}

let bothTracks = TrackFlags(audio: true, video: true)
let audioOnly = TrackFlags(audio: true, video: false)

func directory(maximumChannelCount: Int = 100, maximumUserCount: Int = 100, seed: UInt64 = 1) -> ChannelDirectory {
  let bytes = SeededBytes(seed: seed)
  return ChannelDirectory(
    configuration: ChannelDirectoryConfiguration(
      candidates: [CandidateAddress(host: "192.0.2.1", port: 7_000)], maximumChannelCount: maximumChannelCount,
      maximumUserCount: maximumUserCount)
  ) { bytes($0) }
}

func joinRequest(
  _ uid: UInt, channel: String = "room", profile: ChannelProfile = .liveBroadcasting,
  role: ClientRole = .broadcaster, publish: TrackFlags = bothTracks,
  subscribe: Subscription = Subscription(everyone: bothTracks)
) -> JoinRequest {
  JoinRequest(
    channel: channel, uid: uid, profile: profile, role: role, publish: publish, subscribe: subscribe,
    ice: ICEParameters(usernameFragment: "frag", password: "passwordpasswordpassword"))
}

extension ChannelDirectory {
  mutating func deliveries() -> [ControlDelivery] {
    var all: [ControlDelivery] = []
    while let delivery = pollDelivery() { all.append(delivery) }
    return all
  }

  mutating func commands() -> [MediaCommand] {
    var all: [MediaCommand] = []
    while let command = pollMediaCommand() { all.append(command) }
    return all
  }

  /// Joins and returns what came of it.
  mutating func join(_ request: JoinRequest, client: UInt64) -> [ControlDelivery] {
    receive(.join(request), from: client, now: .zero)
    return deliveries()
  }
}

func joined(_ deliveries: [ControlDelivery]) -> JoinedResponse? {
  for case .joined(let response)? in deliveries.map(\.response) { return response }
  return nil
}

func errorCode(_ deliveries: [ControlDelivery]) -> ControlErrorCode? {
  for case .error(let error)? in deliveries.map(\.response) { return error.code }
  return nil
}

@Suite struct ChannelDirectoryTests {
  @Test func badJoinsAreRefusedAndClosed() {
    var directory = directory()
    var version = joinRequest(1)
    version.version = 99
    var ice = joinRequest(1)
    ice.ice.usernameFragment = "a b c"
    let cases: [(JoinRequest, ControlErrorCode)] = [
      (version, .unsupportedVersion), (joinRequest(1, channel: ""), .invalidChannelName),
      (joinRequest(1, channel: "ä"), .invalidChannelName), (joinRequest(UInt(UInt32.max) + 1), .invalidUID),
      (ice, .invalidArgument),
    ]
    for (request, code) in cases {
      let answer = directory.join(request, client: 1)
      #expect(errorCode(answer) == code)
      #expect(answer.count == 1 && answer.first?.closesAfter == true)
    }
    #expect(directory.userCount == 0 && directory.channelCount == 0 && directory.commands().isEmpty)
  }

  @Test func secondJoinIsRefusedButTheConnectionStays() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    let answer = directory.join(joinRequest(2), client: 1)
    #expect(errorCode(answer) == .invalidState)
    #expect(answer.first?.closesAfter == false)
    #expect(directory.userCount == 1)
  }

  @Test func updateBeforeJoinIsRefused() {
    var directory = directory()
    directory.receive(.update(UpdateRequest(requestID: 7, publish: bothTracks)), from: 1, now: .zero)
    let answer = directory.deliveries()
    #expect(errorCode(answer) == .invalidState)
    guard case .error(let error)? = answer.first?.response else { return }
    #expect(error.requestID == 7)
  }

  @Test func uidZeroIsAssignedAFreeUID() throws {
    let zeros = ChannelDirectoryConfiguration(candidates: [])
    var directory = ChannelDirectory(configuration: zeros) { [UInt8](repeating: 0, count: $0) }
    let uids = (1...3).compactMap { joined(directory.join(joinRequest(0), client: $0))?.uid }
    #expect(uids == [1, 2, 3])
  }

  @Test func limitsAreKept() {
    var directory = directory(maximumChannelCount: 1, maximumUserCount: 1)
    #expect(joined(directory.join(joinRequest(1), client: 1)) != nil)
    #expect(errorCode(directory.join(joinRequest(2), client: 2)) == .resourceLimited)
    #expect(errorCode(directory.join(joinRequest(2, channel: "other"), client: 2)) == .resourceLimited)
    // Coming back takes no more room.
    #expect(joined(directory.join(joinRequest(1), client: 3)) != nil)
  }

  @Test func otherProfileIsRefusedWhileTheChannelLives() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    #expect(errorCode(directory.join(joinRequest(2, profile: .communication), client: 2)) == .invalidArgument)
    directory.clientClosed(1, now: .zero)
    #expect(joined(directory.join(joinRequest(2, profile: .communication), client: 2)) != nil)
  }

  @Test("a voice is filtered or not as its user says, from the join on or later")
  func voicesThatAreNotFiltered() {
    var directory = directory()
    func channels() -> [UInt64] {
      directory.commands().compactMap { command in
        switch command {
        case .addPeer(let peer): peer.channel
        case .setVoiceChannel(let client, let channel): client == 1 ? channel : nil
        default: nil
        }
      }
    }
    var request = joinRequest(1)
    request.isAudioFilterable = false
    _ = directory.join(request, client: 1)
    #expect(channels() == [0])
    _ = directory.join(joinRequest(2), client: 2)
    let number = channels()
    #expect(number.count == 1 && number != [0])
    func update(_ isAudioFilterable: Bool?) {
      directory.receive(
        .update(UpdateRequest(requestID: 1, isAudioFilterable: isAudioFilterable)), from: 1, now: .zero)
    }
    update(true)
    #expect(channels() == number)
    update(nil)
    update(true)
    #expect(channels() == [])
    update(false)
    #expect(channels() == [0])
  }

  @Test func newestOfTheSameUIDWins() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    _ = directory.join(joinRequest(9), client: 9)
    let answer = directory.join(joinRequest(1), client: 2)
    let removals = answer.filter {
      if case .removed(let error)? = $0.response { error.code == .sameUIDLogin } else { false }
    }
    #expect(removals.map(\.client) == [1])
    #expect(removals.first?.closesAfter == true)
    #expect(joined(answer)?.uid == 1)
    // The end of the old connection must not touch the new one.
    directory.clientClosed(1, now: .zero)
    #expect(directory.deliveries().isEmpty)
    #expect(directory.userCount == 2)
  }

  @Test func lateJoinerIsToldOfAllWhoCanBeSeen() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    _ = directory.join(joinRequest(2, publish: audioOnly), client: 2)
    _ = directory.join(joinRequest(3, role: .audience), client: 3)
    let users = joined(directory.join(joinRequest(4, role: .audience), client: 4))?.users ?? []
    #expect(users.map(\.uid) == [1, 2])
    #expect(users.map(\.published) == [bothTracks, audioOnly])
  }

  @Test func communicationShowsEverybodyWhateverTheRole() {
    var directory = directory()
    _ = directory.join(joinRequest(1, profile: .communication, role: .audience), client: 1)
    let users = joined(directory.join(joinRequest(2, profile: .communication), client: 2))?.users ?? []
    #expect(users.map(\.uid) == [1])
    #expect(users.first?.published == bothTracks)
  }

  @Test func audienceFlagsAreInertUntilItBecomesBroadcaster() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    let answer = directory.join(joinRequest(2, role: .audience, publish: audioOnly), client: 2)
    #expect(answer.count == 1)
    #expect(directory.commands().contains(.setPublished(client: 2, tracks: .none)))
    directory.receive(.update(UpdateRequest(requestID: 1, role: .broadcaster)), from: 2, now: .zero)
    let users = directory.deliveries().compactMap { if case .userJoined(let user)? = $0.response { user } else { nil } }
    #expect(users.map(\.uid) == [2] && users.first?.published == audioOnly)
    #expect(directory.commands().contains(.setPublished(client: 2, tracks: audioOnly)))
  }

  @Test func offlineReasonsTellHowAUserWent() {
    var directory = directory()
    for uid in UInt(1)...4 { _ = directory.join(joinRequest(uid), client: UInt64(uid)) }
    directory.receive(.leave, from: 2, now: .zero)
    directory.clientClosed(2, now: .zero)
    directory.clientClosed(3, now: .zero)
    directory.receive(.update(UpdateRequest(requestID: 1, role: .audience)), from: 4, now: .zero)
    let left = directory.deliveries().compactMap { delivery -> UserLeftResponse? in
      guard delivery.client == 1, case .userLeft(let left)? = delivery.response else { return nil }
      return left
    }
    #expect(
      left == [
        UserLeftResponse(uid: 2, reason: .quit), UserLeftResponse(uid: 3, reason: .dropped),
        UserLeftResponse(uid: 4, reason: .becameAudience),
      ])
  }

  @Test func leaveIsAnsweredByClosing() {
    var directory = directory()
    _ = directory.join(joinRequest(1), client: 1)
    directory.receive(.leave, from: 1, now: .zero)
    #expect(directory.deliveries() == [ControlDelivery(client: 1, response: nil, closesAfter: true)])
  }

  @Test func subscriptionChangesReachTheForwardingRoomOnlyWhereTheyMatter() {
    var directory = directory()
    for uid in UInt(1)...3 { _ = directory.join(joinRequest(uid), client: UInt64(uid)) }
    _ = directory.commands()
    let change = Subscription(everyone: bothTracks, users: ["2": audioOnly])
    directory.receive(.update(UpdateRequest(requestID: 1, subscribe: change)), from: 1, now: .zero)
    #expect(directory.commands() == [.setSubscribed(subscriber: 1, publisher: 2, tracks: audioOnly)])
  }

  @Test func keysHaveTheirLengthAndDiffer() throws {
    var directory = directory()
    let response = try #require(joined(directory.join(joinRequest(1), client: 1)))
    #expect(response.srtp.clientKey.utf8.count == 56 && response.srtp.serverKey.utf8.count == 56)
    #expect(response.srtp.clientKey != response.srtp.serverKey)
    #expect(response.ice.usernameFragment.utf8.count >= 4 && response.ice.password.utf8.count >= 22)
  }

  @Test func collidingRandomNumbersStillGiveUniqueSSRCs() throws {
    var directory = ChannelDirectory(configuration: ChannelDirectoryConfiguration(candidates: [])) {
      [UInt8](repeating: 0xFF, count: $0)
    }
    for uid in UInt(1)...3 { _ = directory.join(joinRequest(uid), client: UInt64(uid)) }
    let response = try #require(joined(directory.join(joinRequest(4), client: 4)))
    let all = ([response.ssrcs] + response.users.map(\.ssrcs)).flatMap { [$0.audio, $0.video, $0.videoRTX] }
    #expect(all.count == 12 && Set(all).count == 12 && !all.contains(0))
  }
}
