import Foundation
import LinuxIO
import MediaBase
import Signaling
import Synchronization
import TestSupport
import Testing

/// What is known of calls after a server was killed and started again.
@Suite("Records of calls over a restart", .timeLimit(.minutes(10)), .ownThread)
struct RestartedServerTests {
  private func login(_ uid: UInt, _ server: ServerProcess) async -> WebSocketSignalClient {
    let client = WebSocketSignalClient(url: server.url)
    let error = await withCheckedContinuation { done in client.login(uid: uid, token: "") { done.resume(returning: $0) }
    }
    #expect(error == nil)
    return client
  }

  private func say(
    _ client: WebSocketSignalClient, _ action: Int, _ call: String, to uid: UInt
  ) async -> SignalError? {
    let message =
      #"{"message_action":\#(action),"message_version":"1.0","fromUserId":\#(client.uid ?? 0),"callId":"\#(call)","fromRoomId":"r-\#(call)"}"#
    return await withCheckedContinuation { done in
      client.send(message: message, to: uid) { done.resume(returning: $0) }
    }
  }

  private func record(_ call: String, _ server: ServerProcess, where isRight: (String) -> Bool) -> String? {
    for _ in 0..<2_000 {
      let text = LoopbackConnection(port: server.httpPort).get("/v1/calls/\(call)")
      if isRight(text) { return text }
      MonotonicClock.sleep(for: .milliseconds(10))
    }
    return nil
  }

  @Test("a record is there again after kill -9; the call that was open then ends in it with a reason")
  func killed() async throws {
    let scratch = try ScratchDirectory()
    let options = ["--records", scratch.file("records"), "--absence", "1"]
    let server = try ServerProcess(options)
    let (one, two) = (await login(1, server), await login(2, server))
    #expect(await say(one, 0, "over", to: 7) == .userOffline(uid: 7))
    #expect(await say(one, 0, "open", to: 2) == nil)
    #expect(await say(two, 2, "open", to: 1) == nil)
    // Whoever has read a record knows that it has been written.
    #expect(record("over", server) { $0.contains(#""endReason":"unreachable""#) } != nil)
    #expect(record("open", server) { $0.contains("acceptTime") && !$0.contains("endTime") } != nil)
    one.logout()
    two.logout()
    server.process.kill()
    _ = server.process.finish()

    let again = try ServerProcess(options, again: server)
    #expect(record("over", again) { $0.contains(#""endReason":"unreachable""#) } != nil)
    let ended = record("open", again) { $0.contains("endTime") }
    #expect(ended?.contains(#""endReason":"interrupted""#) == true, "\(ended ?? "-")")
    #expect(again.end() == 0)
  }
}
