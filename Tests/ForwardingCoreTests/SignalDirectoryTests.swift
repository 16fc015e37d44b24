import ChannelCore
import ControlWire
import MediaBase
import Testing

extension SignalDirectory {
  fileprivate mutating func take(_ request: SignalRequest, from client: UInt64) -> [SignalDelivery] {
    receive(request, from: client, now: .zero)
    return all()
  }

  fileprivate mutating func all() -> [SignalDelivery] {
    var all: [SignalDelivery] = []
    while let delivery = pollDelivery() { all.append(delivery) }
    return all
  }
}

private func errorCode(_ deliveries: [SignalDelivery]) -> ControlErrorCode? {
  for case .error(let error)? in deliveries.map(\.response) { return error.code }
  return nil
}

@Suite struct SignalDirectoryTests {
  private func loggedIn() -> SignalDirectory {
    var directory = SignalDirectory()
    _ = directory.take(.login(LoginRequest(uid: 1)), from: 11)
    _ = directory.take(.login(LoginRequest(uid: 2)), from: 12)
    return directory
  }

  @Test func textReachesItsReceiverAndIsConfirmed() {
    var directory = loggedIn()
    let answer = directory.take(.send(SendRequest(requestID: 5, to: 2, message: "hello")), from: 11)
    #expect(
      answer == [
        SignalDelivery(client: 12, response: .message(ReceivedMessage(from: 1, message: "hello"))),
        SignalDelivery(client: 11, response: .delivered(UpdatedResponse(requestID: 5))),
      ])
  }

  @Test func sendingToSomebodyOfflineIsRefusedButTheConnectionStays() {
    var directory = loggedIn()
    directory.clientClosed(12, now: .zero)
    let answer = directory.take(.send(SendRequest(requestID: 6, to: 2, message: "hello")), from: 11)
    #expect(errorCode(answer) == .userOffline)
    #expect(answer.map(\.client) == [11] && answer.first?.closesAfter == false)
  }

  @Test func newestOfTheSameUIDWins() {
    var directory = loggedIn()
    let answer = directory.take(.login(LoginRequest(uid: 1)), from: 13)
    #expect(answer.map(\.client) == [11, 13])
    #expect(answer.map(\.closesAfter) == [true, false])
    directory.clientClosed(11, now: .zero)
    let text = directory.take(.send(SendRequest(requestID: 1, to: 1, message: "x")), from: 12)
    #expect(text.first?.client == 13)
  }

  @Test func logoutClosesAndFreesTheUID() {
    var directory = loggedIn()
    let answer = directory.take(.logout, from: 11)
    #expect(answer == [SignalDelivery(client: 11, response: nil, closesAfter: true)])
    #expect(directory.userCount == 1)
  }

  @Test func badLoginsAreRefusedAndClosed() {
    var directory = SignalDirectory()
    let cases: [(SignalRequest, ControlErrorCode)] = [
      (.login(LoginRequest(version: 2, uid: 1)), .unsupportedVersion), (.login(LoginRequest(uid: 0)), .invalidUID),
      (.login(LoginRequest(uid: UInt(UInt32.max) + 1)), .invalidUID),
      (.send(SendRequest(requestID: 1, to: 1, message: "")), .invalidState),
    ]
    for (request, code) in cases {
      let answer = directory.take(request, from: 1)
      #expect(errorCode(answer) == code)
      #expect(answer.first?.closesAfter == true)
    }
    #expect(directory.userCount == 0)
  }

  @Test func secondLoginAndTextsThatAreTooLongOrHaveANULAreRefused() {
    var directory = loggedIn()
    #expect(errorCode(directory.take(.login(LoginRequest(uid: 3)), from: 11)) == .invalidState)
    for text in [String(repeating: "x", count: SendRequest.maximumMessageByteCount + 1), "a\0b"] {
      let answer = directory.take(.send(SendRequest(requestID: 2, to: 2, message: text)), from: 11)
      #expect(errorCode(answer) == .invalidArgument)
      #expect(answer.map(\.client) == [11])
    }
  }
}

/// A session's rules, on the virtual clock.
@Suite struct SignalSessionTests {
  private let key = "0123456789abcdef"

  private func at(_ milliseconds: Int64) -> MediaInstant { .zero + .milliseconds(milliseconds) }

  private func directory(_ sessions: [UInt: String]) -> SignalDirectory {
    var directory = SignalDirectory()
    for (uid, session) in sessions.sorted(by: { $0.key < $1.key }) {
      directory.receive(.login(LoginRequest(uid: uid, session: session)), from: UInt64(10 + uid), now: .zero)
    }
    _ = directory.all()
    return directory
  }

  @Test func aTextIsDeliveredOnlyWhenItsReceiverConfirmsIt() {
    var directory = directory([1: key, 2: key])
    let send = SignalRequest.send(SendRequest(requestID: 5, to: 2, message: "hello"))
    #expect(
      directory.take(send, from: 11) == [
        SignalDelivery(
          client: 12, response: .message(ReceivedMessage(from: 1, message: "hello", sequence: 1, messageID: 5)))
      ])
    #expect(
      directory.take(.received(ReceivedRequest(sequence: 1)), from: 12) == [
        SignalDelivery(client: 11, response: .delivered(UpdatedResponse(requestID: 5)))
      ])
    // Sent again, since the answer was lost: answered again, not delivered again.
    #expect(
      directory.take(send, from: 11) == [
        SignalDelivery(client: 11, response: .delivered(UpdatedResponse(requestID: 5)))
      ])
  }

  @Test func aSessionThatComesBackGetsWhatItHasNotConfirmedInOrder() {
    var directory = directory([1: key, 2: key])
    for number in 1...3 {
      _ = directory.take(.send(SendRequest(requestID: number, to: 2, message: "\(number)")), from: 11)
    }
    directory.clientClosed(12, now: at(100))
    _ = directory.take(.send(SendRequest(requestID: 4, to: 2, message: "4")), from: 11)
    directory.receive(.login(LoginRequest(uid: 2, session: key, sequence: 2)), from: 22, now: at(200))
    #expect(
      directory.all().map(\.response) == [
        .loggedIn(LoggedInResponse(uid: 2, resumed: true)),
        .delivered(UpdatedResponse(requestID: 1)), .delivered(UpdatedResponse(requestID: 2)),
        .message(ReceivedMessage(from: 1, message: "3", sequence: 3, messageID: 3)),
        .message(ReceivedMessage(from: 1, message: "4", sequence: 4, messageID: 4)),
      ])
  }

  @Test func aSessionTakesOverFromItsDeadConnectionWithoutAWord() {
    var directory = directory([1: key])
    let answer = directory.take(.login(LoginRequest(uid: 1, session: key)), from: 21)
    #expect(
      answer == [
        SignalDelivery(client: 11, response: nil, closesAfter: true),
        SignalDelivery(client: 21, response: .loggedIn(LoggedInResponse(uid: 1, resumed: true))),
      ])
    directory.clientClosed(11, now: .zero)
    #expect(directory.isLoggedIn(1))
  }

  @Test func anotherSessionOfTheSameUIDKicksTheOlderWithAReason() {
    var directory = directory([1: key])
    let answer = directory.take(.login(LoginRequest(uid: 1, session: key + "2")), from: 21)
    guard case .removed(let error)? = answer.first?.response else { Issue.record("\(answer)"); return }
    #expect(answer.first?.client == 11 && answer.first?.closesAfter == true && error.code == .sameUIDLogin)
    #expect(answer.last?.response == .loggedIn(LoggedInResponse(uid: 1, resumed: false)))
  }

  @Test func whoIsGoneForTheWindowIsOfflineAndSendersHearOfIt() {
    var directory = directory([1: key, 2: key])
    directory.clientClosed(12, now: at(0))
    #expect(directory.take(.send(SendRequest(requestID: 7, to: 2, message: "x")), from: 11).isEmpty)
    directory.handleTimeout(now: at(4_900))
    #expect(directory.all().isEmpty && directory.isLoggedIn(2))
    directory.handleTimeout(now: at(5_100))
    #expect(errorCode(directory.all()) == .userOffline)
    #expect(!directory.isLoggedIn(2))
    #expect(errorCode(directory.take(.send(SendRequest(requestID: 8, to: 2, message: "x")), from: 11)) == .userOffline)
  }

  @Test func aTextThatIsNotConfirmedInItsTimeIsNotDeliveredLater() {
    var directory = directory([1: key, 2: key])
    _ = directory.take(.send(SendRequest(requestID: 1, to: 2, message: "old", timeToLive: 1_000)), from: 11)
    // The connection is dead, though the server does not know.
    directory.handleTimeout(now: at(1_050))
    let answer = directory.all()
    #expect(errorCode(answer) == .notConfirmed && answer.map(\.client) == [11])
    directory.receive(.login(LoginRequest(uid: 2, session: key)), from: 22, now: at(1_100))
    #expect(directory.all().compactMap(\.response) == [.loggedIn(LoggedInResponse(uid: 2, resumed: true))])
  }

  @Test func aTextThatHasNeverBeenSentHasSurelyNotCome() {
    var directory = directory([1: key, 2: key])
    directory.clientClosed(12, now: at(0))
    _ = directory.take(.send(SendRequest(requestID: 1, to: 2, message: "x", timeToLive: 1_000)), from: 11)
    directory.handleTimeout(now: at(1_050))
    let answer = directory.all()
    #expect(errorCode(answer) == .userOffline && answer.map(\.client) == [11])
  }

  @Test func anAnswerThatWasLostWithItsConnectionIsGivenAgain() {
    var directory = directory([1: key, 2: key])
    let send = SignalRequest.send(SendRequest(requestID: 1, to: 2, message: "x"))
    _ = directory.take(send, from: 11)
    directory.clientClosed(11, now: .zero)
    #expect(directory.take(.received(ReceivedRequest(sequence: 1)), from: 12).isEmpty)
    _ = directory.take(.login(LoginRequest(uid: 1, session: key)), from: 21)
    #expect(directory.take(send, from: 21).map(\.response) == [.delivered(UpdatedResponse(requestID: 1))])
  }

  @Test func whatWaitsForOneUserIsLimitedAndOthersAreUnharmed() {
    var directory = directory([1: key, 2: key, 3: key])
    var refusals = 0
    for number in 1...300 {
      let answer = directory.take(.send(SendRequest(requestID: number, to: 2, message: "x")), from: 11)
      if errorCode(answer) == .resourceLimited { refusals += 1 }
    }
    // Half of the places.
    #expect(refusals == 300 - SignalConfiguration().maximumHeldCount / 2)
    let long = String(repeating: "x", count: 32_768)
    let answers = (1...40).map { number in
      errorCode(directory.take(.send(SendRequest(requestID: 1_000 + number, to: 3, message: long)), from: 11))
    }
    #expect(answers.filter { $0 == nil }.count == 16)
    let other = directory.take(.send(SendRequest(requestID: 1, to: 1, message: "fine")), from: 13)
    #expect(other.map(\.client) == [11])
  }

  @Test(arguments: [1, 2, 4, 100], [1, 32_767, 32_768])
  func whoeverSendsAsMuchAsTheyCanLeavesRoomForOthers(flooderCount: Int, byteCount: Int) {
    let flooders = (0..<flooderCount).map { UInt(100 + $0) }
    var directory = directory([1: key, 2: key].merging(flooders.map { ($0, key) }) { $1 })
    // The receiver's connection is lost, and waits to be made again.
    directory.clientClosed(12, now: at(100))
    let flood = String(repeating: "x", count: byteCount)
    for number in 1...(520 / flooderCount + 5) {
      for flooder in flooders {
        _ = directory.take(
          .send(SendRequest(requestID: number, to: 2, message: flood)), from: UInt64(10 + flooder))
      }
    }
    // The honest sender's comes, and so does the server's own word in the name of somebody who floods.
    let refused = errorCode(directory.take(.send(SendRequest(requestID: 1, to: 2, message: "a call")), from: 11))
    #expect(refused == nil)
    directory.send("hangup", from: flooders[0], to: 2, timeToLive: .seconds(15), now: at(150))
    directory.receive(.login(LoginRequest(uid: 2, session: key)), from: 22, now: at(200))
    let texts = directory.all().compactMap { delivery -> String? in
      guard case .message(let message)? = delivery.response else { return nil }
      return message.message
    }
    #expect(texts.suffix(2).map { String($0.prefix(8)) } == ["a call", "hangup"])
    #expect(texts.count <= SignalConfiguration().maximumHeldCount)
  }

  @Test func sessionsThatCouldBeGuessedAndTimesOutOfRangeAreRefused() {
    var directory = SignalDirectory()
    for session in ["", "short", String(repeating: "x", count: 65)] {
      let answer = directory.take(.login(LoginRequest(uid: 1, session: session)), from: 1)
      #expect(errorCode(answer) == .invalidArgument)
    }
    _ = directory.take(.login(LoginRequest(uid: 1, session: key)), from: 1)
    for time in [Int.min, 0, 600_001, Int.max] {
      let answer = directory.take(.send(SendRequest(requestID: 1, to: 1, message: "", timeToLive: time)), from: 1)
      #expect(errorCode(answer) == .invalidArgument)
    }
    // Confirms what was never sent.
    for sequence in [Int.min, -1, 0, 5, Int.max] {
      #expect(directory.take(.received(ReceivedRequest(sequence: sequence)), from: 1).isEmpty)
    }
  }
}
