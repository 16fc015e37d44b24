import Signaling
import TestSupport
import Testing

@Suite("Calls that a server makes no record of", .timeLimit(.minutes(5)), .ownThread)
struct UnrecordedCallTests {
  @Test("the server tells of them: of the first, the second, the fourth, …")
  func told() async throws {
    let server = try ServerProcess()
    let caller = WebSocketSignalClient(url: server.url)
    let error = await withCheckedContinuation { done in caller.login(uid: 1) { done.resume(returning: $0) } }
    #expect(error == nil)
    let others = (2...70).map { ($0 as UInt, WebSocketSignalClient(url: server.url)) }
    for (uid, client) in others {
      let error = await withCheckedContinuation { done in client.login(uid: uid) { done.resume(returning: $0) } }
      #expect(error == nil)
      // All of them ring, so that none makes room for another.
      let call =
        #"{"message_action":0,"message_version":"1.0","fromUserId":1,"callId":"call-\#(uid)","fromRoomId":"r-\#(uid)"}"#
      let sent = await withCheckedContinuation { done in
        caller.send(message: call, to: uid) { done.resume(returning: $0) }
      }
      #expect(sent == nil)
    }
    for (_, client) in others { client.logout() }
    caller.logout()
    server.process.terminate()
    // 69 calls, of which 64 have a record.
    let outcome = server.process.finish()
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(
      lines
        == [66, 67, 69].enumerated().map { index, uid in
          "No record is made of call call-\(uid): too many calls of user 1, to user \(uid) or of all are open. "
            + "So far \(1 << index) calls have no record."
        }, "\(outcome)")
  }
}
