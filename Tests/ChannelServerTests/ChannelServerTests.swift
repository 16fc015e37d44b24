import ChannelCore
import ChannelServer
import ControlWire
import LinuxIO
import MediaBase
import Synchronization
import TestSupport
import Testing
import WebSocketIO

private func startServer(workers: Int = 2) throws -> ChannelServer {
  let server = ChannelServer(
    configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, workers: workers, development: true))
  try server.start()
  return server
}

extension ChannelServer {
  fileprivate var channelURL: String { "ws://127.0.0.1:\(boundHTTPPort)\(ControlProtocol.channelPath)" }
}

private func join(_ channel: String = "show", uid: UInt, role: ClientRole = .broadcaster) -> ChannelRequest {
  .join(
    JoinRequest(
      channel: channel, uid: uid, role: role, publish: TrackFlags(audio: true, video: true),
      subscribe: Subscription(everyone: TrackFlags(audio: true, video: true)),
      ice: ICEParameters(usernameFragment: "abcd", password: "abcdefghijklmnopqrstuvwx")))
}

@Suite(.serialized, .ownThread) struct ChannelServerTests {
  @Test func usersOfAChannelSeeEachOtherJoinChangeAndLeave() throws {
    let server = try startServer()
    let (host, viewer) = (ControlPeer(server.channelURL), ControlPeer(server.channelURL))
    host.send(join(uid: 1))
    #expect(host.gets { if case .joined(let joined) = $0 { joined.uid == 1 && joined.users.isEmpty } else { false } })
    viewer.send(join(uid: 2, role: .audience))
    #expect(viewer.gets { if case .joined(let joined) = $0 { joined.users.map(\.uid) == [1] } else { false } })
    host.send(.update(UpdateRequest(requestID: 7, publish: TrackFlags.none)))
    #expect(host.gets { $0 == .updated(UpdatedResponse(requestID: 7)) })
    #expect(viewer.gets { $0 == .userUpdated(UserUpdatedResponse(uid: 1, published: .none)) })
    host.send(.leave)
    #expect(viewer.gets { $0 == .userLeft(UserLeftResponse(uid: 1, reason: .quit)) })
    #expect(host.has { $0.hasPrefix("closed") })
  }

  @Test func newerConnectionOfAUIDReplacesTheOlder() throws {
    let server = try startServer()
    let (older, newer) = (ControlPeer(server.channelURL), ControlPeer(server.channelURL))
    older.send(join(uid: 1))
    #expect(older.gets { if case .joined = $0 { true } else { false } })
    newer.send(join(uid: 1))
    #expect(newer.gets { if case .joined = $0 { true } else { false } })
    #expect(older.gets { if case .removed(let error) = $0 { error.code == .sameUIDLogin } else { false } })
    #expect(older.has { $0.hasPrefix("closed") })
  }

  @Test(arguments: [
    ("not json", ControlErrorCode.malformedMessage), ("{}", .malformedMessage), ("[1,2]", .malformedMessage),
    (#"{"type":"join"}"#, .malformedMessage), (#"{"type":"update","requestID":1}"#, .invalidState),
    (#"{"type":"explode"}"#, .malformedMessage),
  ])
  func messagesThatMakeNoSenseAreRefusedAndTheConnectionEnds(text: String, code: ControlErrorCode) throws {
    let server = try startServer()
    let (peer, bystander) = (ControlPeer(server.channelURL), ControlPeer(server.channelURL))
    bystander.send(join(uid: 1))
    peer.send(text)
    #expect(peer.getsError(code))
    #expect(peer.has { $0.hasPrefix("closed") })
    bystander.send(.update(UpdateRequest(requestID: 1)))
    #expect(bystander.gets { $0 == .updated(UpdatedResponse(requestID: 1)) })
  }

  @Test func badChannelNamesAndUIDsAreRefusedWithReasons() throws {
    let server = try startServer()
    for (request, code) in [
      (join("", uid: 1), ControlErrorCode.invalidChannelName), (join("ä", uid: 1), .invalidChannelName),
      (join(String(repeating: "x", count: 64), uid: 1), .invalidChannelName), (join(uid: 1 << 40), .invalidUID),
    ] {
      let peer = ControlPeer(server.channelURL)
      peer.send(request)
      #expect(peer.getsError(code))
    }
  }

  @Test func floodOfMessagesEndsTheConnectionThatSendsIt() throws {
    let server = try startServer()
    let (flooder, bystander) = (ControlPeer(server.channelURL), ControlPeer(server.channelURL))
    flooder.send(join(uid: 1))
    bystander.send(join(uid: 2))
    for number in 0..<1_000 { flooder.send(.update(UpdateRequest(requestID: number))) }
    #expect(flooder.getsError(.resourceLimited))
    #expect(flooder.has { $0.hasPrefix("closed") })
    #expect(bystander.gets { if case .userLeft(let left) = $0 { left.uid == 1 } else { false } })
  }

  @Test func longMessagesCountAsSeveral() throws {
    let server = try startServer()
    let peer = ControlPeer(server.channelURL)
    peer.send(join(uid: 1))
    let padding = String(repeating: "x", count: 200_000)
    func send(_ number: Int) { peer.send(#"{"type":"update","requestID":\#(number),"padding":"\#(padding)"}"#) }
    for number in 0..<3 { send(number) }
    #expect(peer.gets { $0 == .updated(UpdatedResponse(requestID: 2)) })
    for number in 3..<8 { send(number) }
    #expect(peer.getsError(.resourceLimited))
  }

  @Test func randomDatagramsDoNoHarm() throws {
    let server = try startServer(workers: 1)
    let peer = ControlPeer(server.channelURL)
    peer.send(join(uid: 1))
    let socket = try UDPSocket(host: "127.0.0.1", port: 0)
    let target = TransportAddress(ipv4: 0x7F00_0001, port: server.boundUDPPort)
    var random = SeededRandom(seed: 1)
    for _ in 0..<20_000 {
      var bytes = [UInt8](repeating: 0, count: Int.random(in: 0..<1_400, using: &random))
      for index in bytes.indices.prefix(40) { bytes[index] = UInt8.random(in: 0...255, using: &random) }
      if !bytes.isEmpty { bytes[0] = [0, 1, 0x80, 0x90, 0x16, 0xFF][Int.random(in: 0..<6, using: &random)] }
      bytes.withUnsafeBytes { _ = socket.send($0, to: target) }
    }
    peer.send(.update(UpdateRequest(requestID: 3)))
    #expect(peer.gets { $0 == .updated(UpdatedResponse(requestID: 3)) })
  }

  @Test func usedPortsAndOpenDevelopmentModeAreRefusedWithReasons() throws {
    let server = try startServer(workers: 1)
    func message(_ configuration: ChannelServerConfiguration) -> String {
      do throws(ChannelServerError) {
        try ChannelServer(configuration: configuration).start()
        return "started"
      } catch { return error.description }
    }
    #expect(
      message(ChannelServerConfiguration(httpPort: server.boundHTTPPort, udpPort: 0, development: true))
        .contains("in use"))
    #expect(
      message(ChannelServerConfiguration(httpPort: 0, udpPort: server.boundUDPPort, development: true))
        .contains("in use"))
    #expect(
      message(ChannelServerConfiguration(httpHost: "0.0.0.0", httpPort: 0, udpPort: 0, development: true))
        .contains("loopback"))
    #expect(message(ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: false)).contains("token"))
  }

  @Test func theUsersOfTheLargestChannelFitIntoOneMessage() throws {
    let ssrcs = TrackSSRCs(audio: .max, video: .max, videoRTX: .max)
    let user = ChannelUser(uid: UInt(UInt32.max), published: TrackFlags(audio: false, video: false), ssrcs: ssrcs)
    let parameters = ICEParameters(usernameFragment: "server-name", password: "password-of-24-characters")
    let answer = ChannelResponse.joined(
      JoinedResponse(
        uid: 1, ice: parameters, candidates: [], srtp: SRTPParameters(clientKey: "", serverKey: ""), ssrcs: ssrcs,
        users: Array(repeating: user, count: ChannelDirectoryConfiguration(candidates: []).maximumUserCount)))
    let text = try ControlMessageCoding.encode(answer)
    #expect(text.utf8.count < WebSocketClient.maximumMessageByteCount)
    // The limit that it had before would not have been enough.
    #expect(text.utf8.count > 1 << 20)
  }

  // In a process of its own: those of other tests come and go.
  @Test func nothingIsLeftOfAStoppedServer() async {
    await #expect(processExitsWith: .success) {
      func play() throws {
        let server = try startServer()
        let peers = (1...3).map { _ in ControlPeer(server.channelURL) }
        for (index, peer) in peers.enumerated() { peer.send(join(uid: UInt(index + 1))) }
        for peer in peers { #expect(peer.gets { if case .joined = $0 { true } else { false } }) }
        server.stop()
        for peer in peers { #expect(peer.has { $0.hasPrefix("closed") }) }
      }
      try play()
      let before = ProcessStatistics.current()
      for _ in 0..<3 { try play() }
      var after = ProcessStatistics.current()
      for _ in 0..<400
      where after.threadCount > before.threadCount || after.fileDescriptorCount > before.fileDescriptorCount {
        MonotonicClock.sleep(for: .milliseconds(50))
        after = ProcessStatistics.current()
      }
      #expect(after.threadCount <= before.threadCount && after.fileDescriptorCount <= before.fileDescriptorCount)
    }
  }
}
