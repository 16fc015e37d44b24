import ControlWire
import EngineCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import PeerTransport
import RTPSession
import SecureChannel

extension CoreBench {
  static let clientKey = String(repeating: "1a", count: 28)
  static let serverKey = String(repeating: "2b", count: 28)
  static let ownSSRCs = TrackSSRCs(audio: 100, video: 101, videoRTX: 102)
  static let ownLowVideo = VideoLayerSSRCs(video: 103, videoRTX: 104)

  /// The SSRCs by which user `uid` is received.
  static func ssrcs(_ uid: UInt) -> TrackSSRCs {
    let base = UInt32(truncatingIfNeeded: uid) &* 10
    return TrackSSRCs(audio: base &+ 1, video: base &+ 2, videoRTX: base &+ 3)
  }

  static func user(_ uid: UInt, audio: Bool = true, video: Bool = true) -> ChannelUser {
    ChannelUser(uid: uid, published: TrackFlags(audio: audio, video: video), ssrcs: ssrcs(uid))
  }

  /// The `join` requests sent so far.
  var joins: [JoinRequest] {
    commands.compactMap { if case .send(.join(let request)) = $0 { request } else { nil } }
  }

  /// The `update` requests sent so far.
  var updates: [UpdateRequest] {
    commands.compactMap { if case .send(.update(let request)) = $0 { request } else { nil } }
  }

  var connectCount: Int { commands.count { if case .connect = $0 { true } else { false } } }

  /// Answers the newest `join`, and makes the server's side of the media path.
  func answerJoin(users: [ChannelUser] = []) {
    guard let join = joins.last else { return }
    let credentials = ICECredentials(usernameFragment: "serv", password: "serverserverserverserver")
    if let outgoing = SRTPKeyMaterial(hexadecimal: Self.serverKey),
      let incoming = SRTPKeyMaterial(hexadecimal: Self.clientKey)
    {
      let transport = PeerTransport(
        configuration: PeerTransportConfiguration(
          role: .lite, localCredentials: credentials,
          remoteCredentials: ICECredentials(
            usernameFragment: join.ice.usernameFragment, password: join.ice.password),
          remoteCandidates: [], outgoingKey: outgoing, incomingKey: incoming, seed: 5),
        crypto: OpenSSLCrypto.provider, now: now)
      server = ServerSide(transport: transport, session: makeServerSession(users))
    }
    act { core, now in
      core.controlReceived(
        .joined(
          JoinedResponse(
            uid: 7,
            ice: ICEParameters(usernameFragment: credentials.usernameFragment, password: credentials.password),
            candidates: [CandidateAddress(host: Self.serverAddress.host, port: Self.serverAddress.port)],
            srtp: SRTPParameters(clientKey: Self.clientKey, serverKey: Self.serverKey), ssrcs: Self.ownSSRCs,
            users: users, videoLayers: hasLowVideo ? [Self.ownLowVideo] : nil)), now: now)
    }
  }

  /// Opens the control socket and joins.
  func join(users: [ChannelUser] = []) {
    act { $0.controlOpened(now: $1) }
    answerJoin(users: users)
  }

  /// Joins and opens the media path.
  func joinWithMedia(users: [ChannelUser] = []) {
    join(users: users)
    run(for: .milliseconds(200))
  }

  /// Loses the control socket and joins anew.
  func rejoin() {
    act { $0.controlClosed(.closed(message: ""), now: $1) }
    run(for: .milliseconds(300))
    join()
  }

  func respond(_ response: ChannelResponse) { act { $0.controlReceived(response, now: $1) } }

  /// Confirms every update sent so far.
  func confirmUpdates() {
    for update in updates { respond(.updated(UpdatedResponse(requestID: update.requestID))) }
  }

  private func makeServerSession(_ users: [ChannelUser]) -> RTPSession {
    var session = RTPSession(
      configuration: RTPSessionConfiguration(
        cname: "server", rtcpSSRC: 900, parameters: RTPSessionParameters()), now: now)
    session.addReceiveStream(kind: .audio, ssrc: Self.ownSSRCs.audio, rtxSSRC: nil)
    session.addReceiveStream(kind: .video, ssrc: Self.ownSSRCs.video, rtxSSRC: Self.ownSSRCs.videoRTX)
    session.addReceiveStream(kind: .video, ssrc: Self.ownLowVideo.video, rtxSSRC: Self.ownLowVideo.videoRTX)
    for uid in UInt(1)...6 {
      let ssrcs = Self.ssrcs(uid)
      session.addSendStream(kind: .audio, ssrc: ssrcs.audio, rtxSSRC: nil)
      session.addSendStream(kind: .video, ssrc: ssrcs.video, rtxSSRC: ssrcs.videoRTX)
    }
    return session
  }
}
