import ChannelCore
import ControlWire
import MediaBase
import Testing

extension SignalDirectory {
  fileprivate mutating func take(_ request: SignalRequest, from client: UInt64) -> [SignalDelivery] {
    receive(request, from: client, now: .zero)
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
