import ChannelCore
import ControlWire
import MediaBase
import Testing

@Suite("What texts may take that wait for all users together") struct SignalHoldingTests {
  private let key = "0123456789abcdef"
  private static let limit = 100_000

  private func directory(isClustered: Bool = false) -> SignalDirectory {
    var configuration = SignalConfiguration()
    configuration.maximumHeldByteCountOfAll = Self.limit
    configuration.isClustered = isClustered
    return SignalDirectory(configuration: configuration)
  }

  private func logIn(_ uid: UInt, _ directory: inout SignalDirectory) {
    directory.receive(.login(LoginRequest(uid: uid, session: key)), from: UInt64(uid), now: .zero)
  }

  private func say(_ text: String, _ number: Int, from: UInt, to: UInt, _ directory: inout SignalDirectory) {
    directory.receive(
      .send(SendRequest(requestID: number, to: to, message: text)), from: UInt64(from), now: .zero)
  }

  /// What senders have been told of texts that came to nothing, by their numbers.
  private func errors(_ directory: inout SignalDirectory) -> [Int: ControlErrorCode] {
    var errors: [Int: ControlErrorCode] = [:]
    while let delivery = directory.pollDelivery() {
      if case .error(let error)? = delivery.response, let number = error.requestID { errors[number] = error.code }
    }
    return errors
  }

  private func events(_ directory: inout SignalDirectory) -> [SignalDirectoryEvent] {
    var events: [SignalDirectoryEvent] = []
    while let event = directory.pollEvent() { events.append(event) }
    return events
  }

  private func texts(to client: UInt64, _ directory: inout SignalDirectory) -> [String] {
    var texts: [String] = []
    while let delivery = directory.pollDelivery() {
      if delivery.client == client, case .message(let message)? = delivery.response { texts.append(message.message) }
    }
    return texts
  }

  @Test("beyond it the oldest go that wait for whoever most wait for; their senders hear what they hear of who is away")
  func flood() {
    var directory = directory()
    for uid in [1, 2, 3] + Array(10...69) as [UInt] { logIn(uid, &directory) }
    // Who has gone for a moment, and for whom little waits.
    directory.clientClosed(3, now: .zero)
    say("for one who is away", 1, from: 2, to: 3, &directory)
    directory.clientClosed(10, now: .zero)
    for uid in 10...69 as ClosedRange<UInt> {
      for number in 0..<5 {
        say(String(repeating: "x", count: 10_000), Int(uid) * 10 + number, from: 1, to: uid, &directory)
      }
    }
    let errors = errors(&directory)
    // So many have their place: each counts 256 more.
    #expect(300 - errors.count == (Self.limit - 300) / 10_256)
    // Those for whom the first waited lose them first: what has not been sent has surely not come, the rest may have.
    #expect(errors[100] == .userOffline && errors[110] == .notConfirmed && errors[1] == nil)
    #expect(errors.allSatisfy { $0.value == (100...104 ~= $0.key ? .userOffline : .notConfirmed) })
    let unreachable = events(&directory).filter { if case .unreachable = $0 { true } else { false } }
    #expect(unreachable.count == errors.values.filter { $0 == .userOffline }.count)
    // Whoever had little still gets it.
    directory.receive(.login(LoginRequest(uid: 3, session: key)), from: 100, now: .zero)
    #expect(texts(to: 100, &directory) == ["for one who is away"])
  }

  @Test("what has been confirmed, is over or was for somebody who has gone makes room again")
  func room() {
    var directory = directory()
    for uid in [1, 2, 3, 4] as [UInt] { logIn(uid, &directory) }
    let text = String(repeating: "x", count: 20_000)
    for number in 1...40 {
      // One confirms, for one the time passes, and one goes.
      say(text, 3 * number, from: 1, to: 2, &directory)
      directory.receive(.received(ReceivedRequest(sequence: .max)), from: 2, now: .zero)
      say(text, 3 * number + 1, from: 1, to: 3, &directory)
      directory.handleTimeout(now: .zero + .seconds(20))
      say(text, 3 * number + 2, from: 1, to: 4, &directory)
      directory.receive(.logout, from: 4, now: .zero)
      logIn(4, &directory)
      _ = errors(&directory)
      if number == 40 {
        for last in 0..<4 { say(text, 1_000 + last, from: 1, to: 2, &directory) }
        #expect(errors(&directory).isEmpty)
      }
    }
  }

  @Test("texts that other servers were given count as well; an answer that comes later changes nothing")
  func remote() {
    var directory = directory(isClustered: true)
    logIn(1, &directory)
    for number in 1...20 { say(String(repeating: "x", count: 10_000), number, from: 1, to: 1_000, &directory) }
    let given = errors(&directory)
    #expect(given == Dictionary(uniqueKeysWithValues: (1...11).map { ($0, .notConfirmed) }))
    for number in 1...20 as ClosedRange<UInt64> { directory.remoteAnswered(number, error: nil, now: .zero) }
    var delivered: [Int] = []
    while let delivery = directory.pollDelivery() {
      if case .delivered(let answer)? = delivery.response { delivered.append(answer.requestID) }
    }
    #expect(delivered == Array(12...20))
    say(String(repeating: "x", count: 10_000), 21, from: 1, to: 1_000, &directory)
    #expect(errors(&directory).isEmpty)
  }
}
