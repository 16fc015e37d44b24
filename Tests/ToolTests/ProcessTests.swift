import Foundation
import LinuxIO
import MediaBase
import TestSupport
import Testing

@Suite("Processes on loopback", .ownThread)
struct ProcessTests {
  private static let media = ["--video", "pattern", "--audio", "tone"]

  @Test("what one process publishes another watches, with a snapshot and statistics")
  func publishAndWatch() throws {
    let scratch = try ScratchDirectory()
    let server = try ServerProcess()
    let publisher = try ToolProcess(
      ["publish", "--server", server.url, "--channel", "show", "--uid", "1"] + Self.media)
    #expect(publisher.prints("joined show"))
    let watcher = try ToolProcess.run([
      "watch", "--server", server.url, "--channel", "show", "--uid", "2", "--seconds", "5", "--snapshot",
      scratch.file("seen.png"), "--stats", scratch.file("stats.json"),
    ])
    #expect(watcher.status == 0, "\(watcher.errors)")
    #expect(watcher.output.contains("first picture of 1: 640x360"))
    let png = try Data(contentsOf: URL(fileURLWithPath: scratch.file("seen.png")))
    #expect(png.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && png.count > 1_000)
    let statistics = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: scratch.file("stats.json"))))
    let remote = ((statistics as? [String: Any])?["remote"] as? [[String: Any]])?.first
    #expect(remote?["uid"] as? Int == 1 && remote?["frames"] as? Int ?? 0 > 0)
    publisher.terminate()
    #expect(publisher.finish().status == 0)
    #expect(server.end() == 0)
  }

  @Test("a film is published with its sound, and the recording of who watches it can be published again")
  func filmAndRecording() throws {
    let scratch = try ScratchDirectory()
    let film = scratch.file("film.mp4")
    let make = Process()
    make.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    make.arguments = [
      "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc=s=320x180:r=25:d=3", "-f", "lavfi", "-i",
      "sine=f=440:d=3", "-c:v", "mpeg4", "-c:a", "aac", film,
    ]
    try make.run()
    make.waitUntilExit()
    let server = try ServerProcess()
    func publishAndRecord(_ path: String, into recording: String) throws -> ToolProcess.Outcome {
      let publisher = try ToolProcess([
        "publish", "--server", server.url, "--channel", "show", "--uid", "1", "--video", path, "--audio", path,
        "--size",
        "320x180",
      ])
      #expect(publisher.prints("first picture sent"))
      let watcher = try ToolProcess.run([
        "watch", "--server", server.url, "--channel", "show", "--uid", "2", "--seconds", "4", "--record", recording,
      ])
      publisher.terminate()
      let published = publisher.finish()
      #expect(published.status == 0, "\(published)")
      return watcher
    }
    for (path, recording) in [(film, "first.webm"), (scratch.file("first.webm"), "second.webm")] {
      let watcher = try publishAndRecord(path, into: scratch.file(recording))
      #expect(watcher.status == 0 && watcher.errors.isEmpty, "\(watcher.errors)")
      #expect(watcher.output.contains("first picture of 1"))
      #expect(watcher.output.contains("is recorded in \(scratch.file(recording))"), "\(watcher)")
    }
    let sound = try publishAndRecord(film, into: scratch.file("sound.wav"))
    #expect(sound.output.contains("the sound is recorded in"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file("sound.wav")))
    // Somebody was heard: not all of it is silence.
    #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.dropFirst(44).contains { $0 != 0 && $0 != 255 })
    #expect(server.end() == 0)
  }

  @Test(
    "a recording that there is no room for is told, watched on beside, and the program ends with 1",
    arguments: ["show.webm", "show.wav"])
  func noRoom(_ name: String) throws {
    let scratch = try ScratchDirectory()
    let server = try ServerProcess()
    let publisher = try ToolProcess([
      "publish", "--server", server.url, "--channel", "show", "--uid", "1", "--video", "pattern", "--audio", "tone",
    ])
    #expect(publisher.prints("first picture sent"))
    // Files of 50 KiB at most.
    let watcher = try ToolProcess(
      [
        "watch", "--server", server.url, "--channel", "show", "--uid", "2", "--seconds", "6", "--record",
        scratch.file(name),
      ], launcher: ["sh", "-c", "ulimit -f 100; exec \"$0\" \"$@\""])
    let outcome = watcher.finish()
    #expect(outcome.status == 1 && outcome.output.contains("user 1: "), "\(outcome)")
    #expect(outcome.errors.components(separatedBy: "\(name): writing failed").count == 2, "\(outcome.errors)")
    publisher.terminate()
    #expect(publisher.finish().status == 0)
    #expect(server.end() == 0)
  }

  @Test("a call is answered, rejected, not answered, or cannot be placed: the exit status tells")
  func callAndAnswer() throws {
    let server = try ServerProcess()
    func call(_ peer: Int, _ more: [String]) throws -> ToolProcess.Outcome {
      try ToolProcess.run(["call", "--server", server.url, "--uid", "1", "--peer", "\(peer)"] + Self.media + more)
    }
    func answer(_ uid: Int, _ more: [String] = []) throws -> ToolProcess {
      let process = try ToolProcess(["answer", "--server", server.url, "--uid", "\(uid)"] + Self.media + more)
      #expect(process.prints("waiting for calls"))
      return process
    }
    let callee = try answer(2)
    let answered = try call(2, ["--seconds", "2"])
    #expect(answered.status == 0 && answered.output.contains("call connected"), "\(answered)")
    #expect(callee.finish().status == 0)

    let rejecter = try answer(3, ["--reject"])
    #expect(try call(3, ["--seconds", "2"]).status == 3)
    rejecter.terminate()
    _ = rejecter.finish()

    let offline = try call(9, [])
    #expect(offline.status == 1 && offline.errors.contains("User 9 is not logged in"))
    // The name of a method is nothing for a person.
    #expect(!offline.errors.contains("fail:"), "\(offline.errors)")
    #expect(server.end() == 0)
  }

  @Test("a call ends by itself when the other side's program has been killed")
  func killedCallee() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(["answer", "--server", server.url, "--uid", "2"] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess(["call", "--server", server.url, "--uid", "1", "--peer", "2"] + Self.media)
    #expect(caller.prints("call connected"))
    callee.kill()
    let outcome = caller.finish()
    #expect(outcome.status == 0 && outcome.output.contains("without hanging up"), "\(outcome)")
    _ = callee.finish()
    #expect(server.end() == 0)
  }

  @Test("a server tells of a callee that was killed, which ends the call; its record outlives the server's own kill")
  func supervision() throws {
    let scratch = try ScratchDirectory()
    let options = ["--absence", "1", "--records", scratch.file("calls.db")]
    let server = try ServerProcess(options)
    let callee = try ToolProcess(["answer", "--server", server.url, "--uid", "2"] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess(["call", "--server", server.url, "--uid", "1", "--peer", "2"] + Self.media)
    #expect(caller.prints("call connected"))
    callee.kill()
    // The server's patience is shorter than the caller's own; of its two messages either may come first.
    let outcome = caller.finish()
    #expect(outcome.status == 0 && outcome.errors.contains("has been removed"), "\(outcome)")
    func ends(_ server: ServerProcess) throws -> String {
      let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
      let body = LoopbackConnection(port: port).get("/v1/calls?user=1")
      let list = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      let call = (list?["calls"] as? [[String: Any]])?.first
      return "\(call?["callee"] ?? 0) \(call?["endReason"] ?? "none") \(call?["connectTime"] != nil)"
    }
    #expect(try ends(server) == "2 lost true")
    server.process.kill()
    _ = callee.finish()
    let next = try ServerProcess(options)
    #expect(try ends(next) == "2 lost true")
    #expect(next.end() == 0)
  }

  @Test("a gigabyte of random datagrams at the server's port hurts nobody for longer than it lasts")
  func randomDatagrams() throws {
    let server = try ServerProcess()
    let publisher = try ToolProcess(
      ["publish", "--server", server.url, "--channel", "show", "--uid", "1"] + Self.media)
    #expect(publisher.prints("first picture sent"))
    let watcher = try ToolProcess(["watch", "--server", server.url, "--channel", "show", "--uid", "2"])
    #expect(watcher.prints("first picture of 1"))
    try send(bytes: 1 << 30, to: server.udpPort)
    let late = try ToolProcess.run([
      "watch", "--server", server.url, "--channel", "show", "--uid", "3", "--seconds", "4",
    ])
    #expect(late.status == 0 && late.output.contains("first picture of 1"), "\(late)")
    for process in [watcher, publisher] {
      process.terminate()
      let outcome = process.finish()
      #expect(outcome.status == 0, "\(outcome)")
    }
    #expect(server.end() == 0)
  }

  @Test("a server whose descriptors have run out accepts again when there are some")
  func noDescriptors() throws {
    let server = try ServerProcess(descriptorLimit: 64)
    let port = try #require(server.url.split(separator: ":").last.flatMap { UInt16($0) })
    let connections = (0..<200).map { _ in LoopbackConnection(port: port) }
    let early = try ToolProcess(["watch", "--server", server.url, "--channel", "show", "--uid", "1", "--seconds", "20"])
    #expect(early.prints("connecting"))
    for connection in connections { connection.end() }
    #expect(early.prints("joined show"))
    early.terminate()
    _ = early.finish()
    #expect(server.end() == 0)
  }

  /// Sends datagrams of all kinds of sizes with contents that hardly two share; most begin like STUN, RTP or RTCP.
  private func send(bytes total: Int, to port: UInt16) throws {
    let address = try #require(TransportAddress(host: "127.0.0.1", port: port))
    let socket = try UDPSocket(host: "127.0.0.1", port: 0)
    var random = SeededRandom(seed: 1)
    var pool = [UInt8](repeating: 0, count: 1 << 20)
    for index in pool.indices { pool[index] = UInt8(truncatingIfNeeded: random.next()) }
    let firstBytes: [UInt8] = [0x00, 0x80, 0x90, 0x81, 0x01, 0xFF]
    var sent = 0
    while sent < total {
      let size = Int(random.next() % 1_400) + 1
      let length = size * min(64, 60_000 / size)
      let start = Int(random.next() % UInt64(pool.count - length))
      for place in stride(from: start, to: start + length, by: size) {
        pool[place] = firstBytes[Int(random.next() % UInt64(firstBytes.count))]
      }
      pool.withUnsafeBytes { bytes in
        _ = socket.sendSegments(
          UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]), segmentSize: size, to: address)
      }
      sent += length
    }
  }
}
