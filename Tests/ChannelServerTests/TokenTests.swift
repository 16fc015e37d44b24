import ChannelServer
import ControlWire
import Foundation
import LinuxIO
import MediaBase
import OpenSSLTLS
import TestSupport
import Testing
import WebSocketIO

@testable import AccessTokens

/// A server that is open to the network: who enters needs a token.
@Suite("A server with tokens", .timeLimit(.minutes(10)), .ownThread)
struct TokenTests {
  private static let appID = "0123456789abcdef0123456789abcdef"
  private static let certificate = "fedcba9876543210fedcba9876543210"

  private let server: ChannelServer
  private let http: RawHTTP

  init() throws {
    server = ChannelServer(configuration: Self.configuration())
    try server.start()
    http = RawHTTP(port: server.boundHTTPPort)
  }

  private static func configuration() -> ChannelServerConfiguration {
    var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: false)
    configuration.tokens = TokenPolicy(appID: appID, certificates: [certificate])
    return configuration
  }

  private static func token(
    channel: String = "show", uid: UInt = 1, publishes: Bool = true, lifetime: UInt32 = 600,
    certificate: String = certificate, appID: String = appID, signaling: Bool = false
  ) throws -> String {
    var services: [AccessTokenService] = [.rtc(RTCTokenService(channel: channel, uid: uid, publishes: publishes))]
    if signaling { services.append(.signaling(SignalingTokenService(userID: String(uid)))) }
    return try AccessToken(
      appID: appID, issueTime: UInt32(Date().timeIntervalSince1970), lifetime: lifetime, salt: 7, services: services
    ).text(certificate: certificate, crypto: .system)
  }

  private func join(_ token: String, uid: UInt = 1, channel: String = "show") -> ControlPeer {
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.channelPath)")
    let all = TrackFlags(audio: true, video: true)
    peer.send(
      .join(
        JoinRequest(
          channel: channel, uid: uid, token: token, role: .broadcaster, publish: all,
          subscribe: Subscription(everyone: all),
          ice: ICEParameters(usernameFragment: "abcd", password: "abcdefghijklmnopqrstuvwx"))))
    return peer
  }

  @Test("who shows a good token joins; who shows none, a foreign or an old one is told why, and is out")
  func joining() throws {
    #expect(try join(Self.token()).isJoined)
    let refusals: [(String, ControlErrorCode)] = [
      ("", .invalidToken), ("007nonsense", .invalidToken), (try Self.token(uid: 2), .invalidToken),
      (try Self.token(channel: "other"), .invalidToken),
      (try Self.token(certificate: String(Self.certificate.reversed())), .invalidToken),
      (try Self.token(appID: String(Self.appID.reversed())), .invalidAppID),
      (try Self.token(lifetime: 0), .tokenExpired),
    ]
    for (token, code) in refusals {
      let peer = join(token)
      #expect(peer.getsError(code))
      #expect(peer.has { $0.hasPrefix("closed") })
    }
    // For every user in every channel: no token is made like this, and none taken.
    let everywhere = AccessToken(
      appID: Self.appID, issueTime: UInt32(Date().timeIntervalSince1970), lifetime: 600, salt: 7,
      services: [.rtc(RTCTokenService(channel: "*", uid: 0, publishes: true))])
    #expect(join(try everywhere.signedText(certificate: Self.certificate, crypto: .system)).getsError(.invalidToken))
    // A wildcard's holder may ask for a number and renew with a token for that number.
    let guest = join(try Self.token(uid: 0), uid: 0)
    #expect(guest.isJoined)
  }

  @Test("a token that ends is told of and ends the connection, unless a good one comes; a bad one changes nothing")
  func renewal() throws {
    let (leaving, staying) = (join(try Self.token(lifetime: 3)), join(try Self.token(uid: 2, lifetime: 3), uid: 2))
    for peer in [leaving, staying] {
      #expect(peer.gets { if case .tokenWillExpire = $0 { true } else { false } })
    }
    staying.send(.update(UpdateRequest(requestID: 1, token: try Self.token(uid: 3))))
    #expect(
      staying.gets {
        if case .error(let error) = $0 { error.requestID == 1 && error.code == .invalidToken } else { false }
      })
    staying.send(.update(UpdateRequest(requestID: 7, token: try Self.token(channel: "other", uid: 2))))
    #expect(
      staying.gets {
        if case .error(let error) = $0 { error.requestID == 7 && error.isTokenOfOtherChannel == true } else { false }
      })
    staying.send(.update(UpdateRequest(requestID: 2, token: try Self.token(uid: 2))))
    #expect(staying.gets { $0 == .updated(UpdatedResponse(requestID: 2)) })
    #expect(leaving.gets { if case .removed(let error) = $0 { error.code == .tokenExpired } else { false } })
    #expect(staying.gets { $0 == .userLeft(UserLeftResponse(uid: 1, reason: .dropped)) })
    #expect(!staying.log.contains { $0.hasPrefix("closed") })
  }

  @Test("WHIP and WHEP need a bearer token for the channel, WHIP one that allows to publish, and so do changes")
  func webRTC() throws {
    func offer(_ kind: String, _ token: String?, _ direction: String) -> RawHTTP.Response {
      let headers = ["Content-Type: application/sdp"] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
      return http.request("POST", "/\(kind)/show?uid=1", headers, body: .offer(direction))
    }
    for (kind, direction) in [("whip", "sendonly"), ("whep", "recvonly")] {
      let expired = try Self.token(lifetime: 0)
      for token in [nil, "", "007nonsense", try Self.token(channel: "other"), try Self.token(uid: 2), expired] {
        let response = offer(kind, token, direction)
        #expect(response.headers["greenroom-error"] == (token == expired ? "109" : "110"))
        #expect(response.status == 401 && response.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
      }
      let own = try Self.token()
      let location = try #require(offer(kind, own, direction).headers["location"])
      #expect(http.request("DELETE", location).status == 401)
      #expect(http.patch(location, "a=end-of-candidates\r\n", match: "*").status == 401)
      if kind == "whip" {
        let media = ["Content-Type: application/json"]
        #expect(http.request("POST", location + "/media", media, body: "{\"muteAudio\":true}").status == 401)
      }
      #expect(http.request("DELETE", location, ["Authorization: bearer \(own)"]).status == 200)
    }
    let subscriber = try Self.token(publishes: false)
    #expect(offer("whip", subscriber, "sendonly").status == 403)
    #expect(offer("whep", subscriber, "recvonly").status == 201)
  }

  @Test("a player may be anybody whom a token lets into the channel, whatever number it is given")
  func anonymousPlayer() throws {
    func play(_ token: String) -> RawHTTP.Response {
      let headers = ["Content-Type: application/sdp", "Authorization: Bearer \(token)"]
      return http.request("POST", "/whep/show?from=7", headers, body: .offer("recvonly"))
    }
    let response = play(try Self.token(uid: 5, publishes: false))
    #expect(response.status == 201 && response.headers["greenroom-uid"] != "5")
    let location = try #require(response.headers["location"])
    // The same user's next token does, too; another channel's does not.
    let other = try Self.token(channel: "other", uid: 5)
    #expect(http.request("DELETE", location, ["Authorization: Bearer \(other)"]).status == 401)
    let next = try Self.token(uid: 5, lifetime: 700)
    #expect(http.request("DELETE", location, ["Authorization: Bearer \(next)"]).status == 200)
    #expect(play(other).status == 401)
  }

  @Test("a player whose token ends soon is told of it, and how the one that it watches stands; then it is out")
  func endingPlayer() throws {
    let publisher = join(try Self.token(uid: 7), uid: 7)
    #expect(publisher.isJoined)
    let player = ["Content-Type: application/sdp", "Authorization: Bearer \(try Self.token(uid: 0, lifetime: 4))"]
    let response = http.request("POST", "/whep/show?from=7", player, body: .offer("recvonly"))
    let events = try #require(response.headers["location"]) + "/sse"
    // Both had happened before it asked.
    let first = http.request("GET", events).body
    #expect(first.contains("event: active\ndata: {\"uid\":7,"))
    #expect(first.contains("event: tokenWillExpire\ndata: {\"remainingMilliseconds\":"))
    let last = http.request("GET", events, ["Last-Event-ID: 2"])
    #expect([404, 410].contains(last.status))
    publisher.close()
  }

  @Test("signalling needs a token for the user, and ends with it")
  func signalling() throws {
    func logIn(_ token: String, uid: UInt = 1) -> ControlPeer {
      let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)")
      peer.send(.login(LoginRequest(uid: uid, token: token)))
      return peer
    }
    func isIn(_ peer: ControlPeer) -> Bool { peer.getsSignal { if case .loggedIn = $0 { true } else { false } } }
    #expect(isIn(logIn(try Self.token(signaling: true))))
    for (token, uid) in [("", UInt(1)), (try Self.token(), 1), (try Self.token(signaling: true), 2)] {
      let peer = logIn(token, uid: uid)
      #expect(peer.getsSignal { if case .error(let error) = $0 { error.code == .invalidToken } else { false } })
      #expect(peer.has { $0.hasPrefix("closed") })
    }
    let short = try Self.token(uid: 5, lifetime: 3, signaling: true)
    let (leaving, staying) = (logIn(short, uid: 5), logIn(try Self.token(uid: 6, lifetime: 3, signaling: true), uid: 6))
    #expect(isIn(leaving) && isIn(staying))
    for peer in [leaving, staying] { #expect(peer.getsSignal { $0 == .tokenWillExpire }) }
    staying.send(.renewToken(RenewTokenRequest(requestID: 1, token: short)))
    #expect(staying.getsSignal { if case .error(let error) = $0 { error.requestID == 1 } else { false } })
    staying.send(.renewToken(RenewTokenRequest(requestID: 2, token: try Self.token(uid: 6, signaling: true))))
    #expect(staying.getsSignal { $0 == .updated(UpdatedResponse(requestID: 2)) })
    #expect(leaving.getsSignal { if case .removed(let error) = $0 { error.code == .tokenExpired } else { false } })
    #expect(leaving.has { $0.hasPrefix("closed") } && !staying.log.contains { $0.hasPrefix("closed") })
  }

  @Test("a second login on a connection does not make the first one's token last longer")
  func secondLogin() throws {
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)")
    peer.send(.login(LoginRequest(uid: 7, token: try Self.token(uid: 7, lifetime: 3, signaling: true))))
    #expect(peer.getsSignal { if case .loggedIn = $0 { true } else { false } })
    peer.send(.login(LoginRequest(uid: 8, token: try Self.token(uid: 8, signaling: true))))
    #expect(peer.getsSignal { if case .error(let error) = $0 { error.code == .invalidState } else { false } })
    #expect(peer.getsSignal { if case .removed(let error) = $0 { error.code == .tokenExpired } else { false } })
  }

  @Test("nobody is told which channels there are, and pages are served all the same")
  func discretion() {
    #expect(http.request("GET", "/v1/channels").status == 403)
    #expect(http.request("GET", "/healthz").status == 200)
  }

  @Test("beyond loopback it listens only with tokens, and for control connections only with TLS or behind it")
  func exposure() throws {
    func start(_ change: (inout ChannelServerConfiguration) -> Void) -> String? {
      var configuration = Self.configuration()
      change(&configuration)
      let server = ChannelServer(configuration: configuration)
      defer { server.stop() }
      do throws(ChannelServerError) { try server.start() } catch { return error.description }
      return nil
    }
    #expect(start { $0.tokens = nil }?.contains("open to everybody") == true)
    #expect(start { $0.tokens?.appID = "abc" }?.contains("32 hexadecimal digits") == true)
    #expect(start { $0.tokens?.certificates = [] }?.contains("32 hexadecimal digits") == true)
    #expect(start { $0.httpHost = "0.0.0.0" }?.contains("TLS certificate") == true)
    #expect(start { $0.udpHost = "0.0.0.0" } == nil)
    #expect(
      start {
        $0.httpHost = "0.0.0.0"; $0.isBehindTLSProxy = true
      } == nil)
    let files = try TestCertificate()
    let tls = TLSFiles(certificate: files.certificate, privateKey: files.key)
    #expect(
      start {
        $0.httpHost = "0.0.0.0"; $0.tls = tls
      } == nil)
    #expect(
      start {
        $0.development = true; $0.udpHost = "0.0.0.0"
      }?.contains("loopback only") == true)
    #expect(start { $0.tls = TLSFiles(certificate: files.key, privateKey: files.key) }?.contains("PEM") == true)
    #expect("\(TokenPolicy(appID: Self.appID, certificates: [Self.certificate]))".contains(Self.certificate) == false)
  }
}
