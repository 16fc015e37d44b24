import ControlWire
import MediaBase
import Testing

@testable import Signaling

@Suite("How many texts may wait for their receivers")
struct PendingShareTests {
  private static func client() -> SignalClientCore {
    var core = SignalClientCore(timing: .init(), seed: 1) { "0123456789abcdef" }
    core.logIn(uid: 1, token: "", completion: 0, now: .zero)
    core.opened()
    core.receive(.loggedIn(LoggedInResponse(uid: 1)), now: .zero)
    while core.pollEffect() != nil {}
    return core
  }

  /// Whether what has been asked for last goes out.
  private func goesOut(_ core: inout SignalClientCore) -> Bool {
    var isWritten = false
    while let effect = core.pollEffect() { if case .write = effect { isWritten = true } }
    return isWritten
  }

  @Test("receivers that confirm nothing leave room for one more, however much goes to them", arguments: [1, 2, 5, 60])
  func silentReceivers(count: Int) {
    var core = Self.client()
    var waiting = 0
    for number in 0..<1_000 {
      core.send("x", to: UInt(100 + number % count), completion: number, now: .zero)
      if goesOut(&core) { waiting += 1 }
    }
    // As many as two shares of the places, or more: one of them is left.
    #expect(waiting >= SignalClientCore.pendingLimit / (count + 1) * count && waiting < SignalClientCore.pendingLimit)
    core.send("hangup", to: 2, completion: 1_000, now: .zero)
    #expect(goesOut(&core))
  }

  @Test("what goes to the server alone may take all places; those that are answered are free again")
  func requestsToTheServer() {
    var core = Self.client()
    for number in 0..<SignalClientCore.pendingLimit {
      core.renewToken("\(number)", completion: number, now: .zero)
      #expect(goesOut(&core))
    }
    core.renewToken("more", completion: 1_000, now: .zero)
    core.send("x", to: 2, completion: 1_001, now: .zero)
    var errors: [SignalError?] = []
    while let effect = core.pollEffect() { if case .complete(_, let error) = effect { errors.append(error) } }
    #expect(errors == Array(repeating: .tooManyPending(limit: SignalClientCore.pendingLimit), count: 2))
    core.handleTimeout(now: .zero + .seconds(15))
    while core.pollEffect() != nil {}
    core.send("x", to: 2, completion: 1_002, now: .zero + .seconds(15))
    #expect(goesOut(&core))
  }

  @Test("a text may have come if its receiver has not confirmed it, or if servers have lost each other")
  func certainty() {
    func isCertain(_ code: ControlErrorCode) -> Bool { SignalError.refused(code: code.rawValue, message: "").isCertain }
    #expect(!isCertain(.notConfirmed) && !isCertain(.clusterUnavailable))
    #expect(isCertain(.userOffline) && isCertain(.malformedMessage))
  }
}
