import ControlWire
import EngineCore
import MediaBase
import OpenSSLCrypto
import SFrame
import Testing

/// A connection that encrypts between the ends, opposite a server that may do what it likes with what it passes on.
@Suite struct EncryptionTests {
  private static func settings(_ key: String, includesDataStreams: Bool = true) throws -> FrameEncryptionSettings {
    let secret = try #require(
      SFrameSecret(key: Array(key.utf8), salt: [], suite: .aes128GCMSHA256, crypto: OpenSSLCrypto.provider))
    return FrameEncryptionSettings(secret: secret, includesDataStreams: includesDataStreams)
  }

  private func remote(_ uid: UInt, key: String = "key", seed: UInt64 = 5) throws -> FrameEncryptor {
    try FrameEncryptor(
      secret: try Self.settings(key).secret, channel: "show", uid: uid, seed: seed, crypto: OpenSSLCrypto.provider)
  }

  private func send(_ frame: EncodedVideoFrame, from uid: UInt, _ bench: CoreBench) {
    bench.sendFromServer(frame, ssrc: CoreBench.ssrcs(uid).video)
    bench.run(for: .milliseconds(33))
  }

  private func errors(_ bench: CoreBench) -> [String] {
    transcript(bench.events).filter { $0.hasPrefix("encryption") }
  }

  @Test func `pictures that the server sends again are shown once, and nothing stops because of them`() throws {
    let bench = CoreBench(encryption: try Self.settings("key"))
    bench.joinWithMedia(users: [CoreBench.user(1)])
    var remote = try remote(1)
    var sent: [EncodedVideoFrame] = []
    for number in 0..<10 {
      var frame = CoreBench.picture(keyFrame: number == 0, time: bench.now)
      frame.data = try remote.encrypt(frame.data, kind: .video)
      sent.append(frame)
      send(frame, from: 1, bench)
    }
    #expect(bench.frames(of: 1).count == 10)
    #expect(bench.frames(of: 1).allSatisfy { $0.data == CoreBench.picture(keyFrame: $0.isKeyFrame, time: .zero).data })
    for frame in sent { send(frame, from: 1, bench) }
    var next = CoreBench.picture(keyFrame: false, time: bench.now)
    next.data = try remote.encrypt(next.data, kind: .video)
    send(next, from: 1, bench)
    #expect(bench.frames(of: 1).count == 11)
    #expect(errors(bench).isEmpty)
  }

  @Test func `one user's pictures are not another's, whatever the server says`() throws {
    let bench = CoreBench(encryption: try Self.settings("key"))
    bench.joinWithMedia(users: [CoreBench.user(1), CoreBench.user(2)])
    var remote = try remote(1)
    var frame = CoreBench.picture(keyFrame: true, time: bench.now)
    frame.data = try remote.encrypt(frame.data, kind: .video)
    send(frame, from: 2, bench)
    #expect(bench.frames(of: 2).isEmpty)
    #expect(errors(bench) == ["encryption 2 1"])
    send(frame, from: 1, bench)
    #expect(bench.frames(of: 1).count == 1)
  }

  @Test func `after a damaged picture everything waits for a key frame, which is asked for`() throws {
    let bench = CoreBench(encryption: try Self.settings("key"))
    bench.joinWithMedia(users: [CoreBench.user(1)])
    var remote = try remote(1)
    for number in 0..<6 {
      var frame = CoreBench.picture(keyFrame: number == 0 || number == 5, time: bench.now)
      frame.data = try remote.encrypt(frame.data, kind: .video)
      if number == 2 { frame.data[frame.data.count - 1] ^= 1 }
      let requests = bench.keyFrameRequests.count
      send(frame, from: 1, bench)
      #expect((bench.keyFrameRequests.count > requests) == (number == 3))
    }
    #expect(bench.frames(of: 1).map(\.isKeyFrame) == [true, false, true])
    #expect(errors(bench) == ["encryption 1 1"])
    // A single bad one is no failure of the stream.
    #expect(!transcript(bench.events).contains("video 1 4,0"))
  }

  @Test func `what goes out can be read by whoever has the key, and is never sealed twice alike`() throws {
    let bench = CoreBench(encryption: try Self.settings("key"))
    bench.joinWithMedia()
    bench.confirmUpdates()
    var ids: Set<SFrameHeader> = []
    var reader = FrameDecryptor(channel: "show", uid: 7, crypto: OpenSSLCrypto.provider)
    var sealed = 0
    func check() throws {
      for frame in bench.receivedByServer[sealed...] {
        let start = frame.isKeyFrame ? 10 : 1
        let (header, _) = try SFrameHeader.parse(frame.data.span.bytes.extracting(start..<frame.data.count))
        #expect(ids.insert(header).inserted)
        let plain = try reader.decrypt(
          frame.data, kind: .video, secrets: [try Self.settings("key").secret], now: bench.now)
        #expect(plain == CoreBench.picture(keyFrame: frame.isKeyFrame, time: .zero).data)
      }
      sealed = bench.receivedByServer.count
    }
    for round in 0..<3 {
      for number in 0..<5 {
        bench.publish(keyFrame: number == 0)
        bench.run(for: .milliseconds(33))
      }
      #expect(bench.receivedByServer.count == sealed + 5)
      try check()
      guard round < 2 else { break }
      // The connection breaks, and the server begins with nothing.
      bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
      bench.run(for: .milliseconds(300))
      bench.joinWithMedia()
      sealed = 0
    }
    #expect(ids.count == 15)
    #expect(Set(ids.map(\.keyID)).count == 1)
    bench.publishAudio()
    bench.run(for: .milliseconds(50))
    #expect(SFrameMediaKind.audio.looksEncrypted(bench.lastAudioReceivedByServer))
  }

  @Test func `messages can be left in the clear, and one that was moved to another stream is refused`() throws {
    let plain = CoreBench(encryption: try Self.settings("key", includesDataStreams: false))
    plain.joinWithMedia(users: [CoreBench.user(1)])
    plain.act { $0.sendStreamMessage(streamID: 1, sequence: 1, data: [0xAB], now: $1) }
    plain.respond(.streamMessage(StreamMessageResponse(uid: 1, streamID: 1, sequence: 1, data: "07")))
    #expect(transcript(plain.events).last == "data 1/1 [7]")
    let sent = plain.commands.compactMap { if case .send(.streamMessage(let message)) = $0 { message } else { nil } }
    #expect(sent == [StreamMessageRequest(streamID: 1, sequence: 1, data: "ab")])

    let bench = CoreBench(encryption: try Self.settings("key"))
    bench.joinWithMedia(users: [CoreBench.user(1)])
    var remote = try remote(1)
    let context = [UInt8](repeating: 0, count: 7) + [3] + [UInt8](repeating: 0, count: 7) + [9]
    let data = HexadecimalText.encode(try remote.encrypt([7], kind: .data, context: context))
    func receive(_ stream: Int, _ sequence: Int) {
      bench.respond(
        .streamMessage(
          StreamMessageResponse(uid: 1, streamID: stream, sequence: sequence, data: data, isEncrypted: true)))
    }
    receive(2, 9)
    receive(3, 8)
    #expect(errors(bench) == ["encryption 1 3"])
    receive(3, 9)
    #expect(transcript(bench.events).last == "data 1/3 [7]")
    receive(3, 9)
    bench.respond(.streamMessage(StreamMessageResponse(uid: 1, streamID: 3, sequence: 10, data: "07")))
    #expect(transcript(bench.events).filter { $0.hasPrefix("data") } == ["data 1/3 [7]"])
  }
}

extension CoreBench {
  var lastAudioReceivedByServer: [UInt8] {
    switch server {
    case .some(let server): server.lastAudio
    case .none: []
    }
  }
}
