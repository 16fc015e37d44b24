import TestSupport
import Testing

@Suite(.ownThread) struct KilledProcessTests {
  @Test func `a process that is killed is dropped, not quit, for those who watch; one that ends has quit`() throws {
    let server = try ServerProcess()
    let watcher = try ToolProcess(["watch", "--server", server.url, "--channel", "show", "--uid", "9"])
    let publishers = try (1...2).map { uid in
      try ToolProcess([
        "publish", "--server", server.url, "--channel", "show", "--uid", "\(uid)", "--video", "pattern", "--audio",
        "tone",
      ])
    }
    #expect(watcher.prints("first picture of 1"))
    #expect(watcher.prints("first picture of 2"))
    publishers[0].kill()
    #expect(watcher.prints("user 1 has gone (dropped)"))
    publishers[1].terminate()
    #expect(watcher.prints("user 2 has gone (quit)"))
    for process in publishers + [watcher] {
      process.terminate()
      _ = process.finish()
    }
    #expect(server.end() == 0)
  }
}
