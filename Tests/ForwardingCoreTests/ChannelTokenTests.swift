import ChannelCore
import ControlWire
import MediaBase
import Testing

@Suite("Rights that end")
struct ChannelTokenTests {
  private static let start = MediaInstant(nanoseconds: 1_000_000_000_000)

  private func at(_ seconds: Int64) -> MediaInstant { Self.start + .seconds(seconds) }

  private func grant(
    _ join: Int64, audio: ChannelGrant.Permission? = nil, video: ChannelGrant.Permission? = nil,
    data: ChannelGrant.Permission? = nil
  ) -> ChannelGrant {
    ChannelGrant(
      join: .until(at(join)), publishAudio: audio ?? .until(at(join)), publishVideo: video ?? .until(at(join)),
      publishData: data ?? .until(at(join)))
  }

  /// Broadcaster 1 with these rights, and viewer 2 with all.
  private func room(_ grant: ChannelGrant, role: ClientRole = .broadcaster) -> ChannelDirectory {
    var directory = directory()
    directory.receive(.join(joinRequest(2, role: .audience)), from: 2, now: Self.start)
    directory.receive(.join(joinRequest(1, role: role)), grant: grant, from: 1, now: Self.start)
    _ = directory.deliveries()
    _ = directory.commands()
    return directory
  }

  /// Lets time pass, calling in whenever the directory wants it, and notes who is told what when.
  private func run(_ directory: inout ChannelDirectory, until end: Int64) -> [String] {
    var log: [String] = []
    while let next = directory.nextTimeout, next <= at(end) {
      directory.handleTimeout(now: next)
      let second = (next - Self.start).milliseconds / 1_000
      for delivery in directory.deliveries() {
        switch delivery.response {
        case .tokenWillExpire(let notice): log.append("\(second): \(delivery.client) \(notice.remainingMilliseconds)")
        case .removed(let error):
          log.append("\(second): \(delivery.client) removed \(error.code) \(delivery.closesAfter)")
        case .userLeft(let left): log.append("\(second): \(delivery.client) sees \(left.uid) leave, \(left.reason)")
        case .userUpdated(let user):
          log.append("\(second): \(delivery.client) sees \(user.uid) \(user.published.audio) \(user.published.video)")
        default: log.append("\(second): \(delivery.client) other")
        }
      }
    }
    return log
  }

  @Test("the user is told 30 s before the end, and is out at the end")
  func expiry() {
    var directory = room(grant(45))
    #expect(
      run(&directory, until: 100) == [
        "15: 1 30000", "45: 2 sees 1 leave, dropped", "45: 1 removed tokenExpired true",
      ])
    #expect(directory.userCount == 1 && directory.nextTimeout == nil)
  }

  @Test("who comes with less than 30 s left is told at once")
  func shortToken() {
    var directory = room(grant(10))
    #expect(run(&directory, until: 5) == ["0: 1 10000"])
  }

  @Test("a renewed token keeps the user, and is told of before its own end, any number of times")
  func renewal() {
    var directory = room(grant(40))
    for round in Int64(1)...3 {
      #expect(run(&directory, until: round * 30) == ["\(round * 30 - 20): 1 30000"])
      let renewed = ChannelGrant(
        join: .until(at(round * 30 + 40)), publishAudio: .unlimited, publishVideo: .unlimited,
        publishData: .unlimited)
      directory.receive(
        .update(UpdateRequest(requestID: Int(round), token: "new")), grant: renewed, from: 1, now: at(round * 30))
      #expect(directory.deliveries().map(\.response) == [.updated(UpdatedResponse(requestID: Int(round)))])
    }
    #expect(directory.userCount == 2)
  }

  @Test("the right to publish may end before that to be there, also for one track alone")
  func publishing() {
    var directory = room(grant(200, audio: .until(at(60)), video: .until(at(100))))
    #expect(
      run(&directory, until: 150) == [
        "30: 1 30000", "60: 2 sees 1 false true", "70: 1 30000", "100: 2 sees 1 false false",
      ])
    #expect(
      directory.commands() == [
        .setPublished(client: 1, tracks: TrackFlags(audio: false, video: true)),
        .setPublished(client: 1, tracks: .none),
      ])
    // A new token brings it back.
    directory.receive(
      .update(UpdateRequest(requestID: 1, token: "new")), grant: .unlimited, from: 1, now: at(150))
    #expect(directory.commands() == [.setPublished(client: 1, tracks: bothTracks)])
  }

  @Test("who may only join cannot be or become a broadcaster; with another token it can")
  func subscriber() {
    let subscriber = grant(100, audio: .denied, video: .denied, data: .denied)
    var directory = directory()
    directory.receive(.join(joinRequest(1)), grant: subscriber, from: 1, now: Self.start)
    #expect(errorCode(directory.deliveries()) == .roleNotAuthorized && directory.userCount == 0)

    directory = room(subscriber, role: .audience)
    let becomes = UpdateRequest(requestID: 1, role: .broadcaster)
    directory.receive(.update(becomes), from: 1, now: at(1))
    #expect(errorCode(directory.deliveries()) == .roleNotAuthorized && directory.commands().isEmpty)
    // Token first, or together with the role.
    for requests in [
      [UpdateRequest(requestID: 2, token: "new"), becomes],
      [
        UpdateRequest(requestID: 3, role: .broadcaster, token: "new")
      ],
    ] {
      directory = room(subscriber, role: .audience)
      for request in requests {
        directory.receive(
          .update(request), grant: request.token == nil ? nil : .unlimited, from: 1, now: at(2))
      }
      #expect(errorCode(directory.deliveries()) == nil)
      #expect(directory.commands().contains(.setPublished(client: 1, tracks: bothTracks)))
    }
  }

  private func say(_ directory: inout ChannelDirectory, at second: Int64) -> [ControlDelivery] {
    directory.receive(
      .streamMessage(StreamMessageRequest(streamID: 1, sequence: 1, data: "00")), from: 1, now: at(second))
    return directory.deliveries()
  }

  @Test("who may not send data is told so at joining, sends none, and does with a better token")
  func data() {
    var directory = directory()
    directory.receive(.join(joinRequest(2, role: .audience)), from: 2, now: Self.start)
    _ = directory.deliveries()
    directory.receive(.join(joinRequest(1)), grant: grant(100, data: .denied), from: 1, now: Self.start)
    #expect(joined(directory.deliveries().filter { $0.client == 1 })?.maySendData == false)
    let refused = say(&directory, at: 1)
    #expect(refused.map(\.client) == [1] && errorCode(refused) == .noPermission)
    for (data, says) in [(ChannelGrant.Permission.denied, Bool?.some(false)), (.unlimited, nil)] {
      directory.receive(
        .update(UpdateRequest(requestID: 1, token: "new")), grant: grant(100, data: data), from: 1, now: at(2))
      let answer = directory.deliveries().map(\.response)
      #expect(answer == [.updated(UpdatedResponse(requestID: 1, maySendData: says))])
    }
    #expect(say(&directory, at: 3).map(\.client) == [2])
  }

  @Test("the right to send data ends alone, with a warning before it and before the next end")
  func dataEnds() {
    var directory = room(grant(200, data: .until(at(60))))
    #expect(say(&directory, at: 1).map(\.client) == [2])
    #expect(run(&directory, until: 180) == ["30: 1 30000", "170: 1 30000"])
    #expect(errorCode(say(&directory, at: 180)) == .noPermission)
  }

  @Test("who may send data alone may be broadcaster")
  func dataAlone() {
    let talker = grant(100, audio: .denied, video: .denied)
    var directory = room(talker)
    #expect(say(&directory, at: 1).map(\.client) == [2])
    directory = room(talker, role: .audience)
    directory.receive(.update(UpdateRequest(requestID: 1, role: .broadcaster)), from: 1, now: at(1))
    #expect(errorCode(directory.deliveries()) == nil)
  }

  @Test("nothing is left to do for those whose rights do not end, or who have left")
  func quiet() {
    var directory = room(.unlimited)
    #expect(directory.nextTimeout == nil)
    directory = room(grant(45))
    directory.receive(.leave, from: 1, now: at(1))
    _ = directory.deliveries()
    #expect(run(&directory, until: 100) == [] && directory.nextTimeout == nil)
  }
}
