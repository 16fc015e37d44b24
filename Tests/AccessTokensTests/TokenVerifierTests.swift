import Testing

@testable import AccessTokens

@Suite("Rights by token")
struct TokenVerifierTests {
  private func rights(
    channel: String = "show", uid: UInt = 2_882_341_273, at time: UInt64 = now,
    _ change: (inout AccessToken) -> Void = { _ in }
  ) throws -> ChannelRights {
    try verifier().rights(of: text(change), channel: channel, uid: uid, time: time)
  }

  private func refused(
    _ error: AccessTokenError, channel: String = "show", uid: UInt = 2_882_341_273, at time: UInt64 = now,
    _ location: SourceLocation = #_sourceLocation, _ change: (inout AccessToken) -> Void = { _ in }
  ) {
    #expect(throws: error, sourceLocation: location) { try rights(channel: channel, uid: uid, at: time, change) }
  }

  @Test("a publisher's token gives all rights, a subscriber's that to join, each until the token ends or before")
  func privileges() throws {
    let end = now + 600
    #expect(try rights() == ChannelRights(join: end, publishAudio: end, publishVideo: end, publishData: end))
    #expect(
      try rights { $0.services = [.rtc(RTCTokenService(channel: "show", uid: 2_882_341_273, publishes: false))] }
        == ChannelRights(join: end, publishAudio: nil, publishVideo: nil, publishData: nil))
    let separate: [TokenPrivilege: UInt32] = [
      .joinChannel: 300, .publishAudio: 10, .publishVideo: 9_999, .publishData: 20,
    ]
    #expect(
      try rights {
        $0.services = [.rtc(RTCTokenService(privileges: separate, channel: "show", userID: "2882341273"))]
      } == ChannelRights(join: now + 300, publishAudio: now + 10, publishVideo: end, publishData: now + 20))
  }

  @Test("it counts from its issue to its end, for 24 hours at most, with a minute for clocks that differ")
  func time() throws {
    refused(.expired, at: now + 600)
    #expect(try rights(at: now + 599).join == now + 600)
    refused(.notYetValid, at: now - 61)
    #expect(throws: Never.self) { try rights(at: now - 60) }
    refused(.lifetimeTooLong) { $0.lifetime = 86_401 }
    #expect(throws: Never.self) { try rights(at: now + 86_399) { $0.lifetime = 86_400 } }
    refused(.expired, at: UInt64(UInt32.max)) { $0.lifetime = 86_400 }
    refused(.expired) {
      $0.lifetime = 0
    }
    refused(.expired, at: now + 5) {
      $0.services = [.rtc(RTCTokenService(privileges: [.joinChannel: 5], channel: "show", userID: ""))]
    }
  }

  @Test("it is for one user and channel, or for whom and what its wildcards name")
  func scope() throws {
    refused(.wrongUser, uid: 1)
    refused(.wrongUser, uid: 0)
    refused(.wrongChannel, channel: "shows")
    refused(.wrongChannel, channel: "")
    for user in ["", "0", "*"] {
      for uid: UInt in [0, 1, 2_882_341_273] {
        #expect(throws: Never.self) {
          try rights(uid: uid) {
            $0.services = [.rtc(RTCTokenService(privileges: [.joinChannel: 0], channel: "show", userID: user))]
          }
        }
      }
    }
    let patterns: [(String, [String], [String])] = [
      ("", ["show", "*"], []), ("*", ["show", ""], []), ("room-*", ["room-", "room-1"], ["room", "a room-1"]),
      ("*-1", ["room-1", "-1"], ["1", "room-12"]), ("a*b*c", ["abc", "aXbYc", "abbc"], ["ac", "abcd", "acb"]),
      ("*mid*", ["mid", "amidb"], ["mi", ""]), ("aba*aba", ["abaaba", "abaXaba"], ["aba", "ababa"]),
    ]
    for (pattern, good, bad) in patterns {
      func change(_ token: inout AccessToken) {
        token.services = [.rtc(RTCTokenService(privileges: [.joinChannel: 0], channel: pattern, userID: "2882341273"))]
      }
      for channel in good {
        #expect(throws: Never.self, "\(pattern) \(channel)") { try rights(channel: channel, change) }
      }
      for channel in bad { refused(.wrongChannel, channel: channel) { change(&$0) } }
    }
  }

  @Test("for more than one channel and for every user at once there is no token, and none is taken")
  func bothWildcards() throws {
    for channel in ["", "*", "sh*", "*ow", "s*w"] {
      for user in ["", "0", "*"] {
        let broad = token {
          $0.services = [.rtc(RTCTokenService(privileges: [.joinChannel: 0], channel: channel, userID: user))]
        }
        #expect(throws: AccessTokenError.tooBroad) { try broad.text(certificate: certificate, crypto: tokenCrypto) }
        let made = try broad.signedText(certificate: certificate, crypto: tokenCrypto)
        for uid: UInt? in [0, 7, nil] {
          #expect(throws: AccessTokenError.tooBroad) {
            try verifier().rights(of: made, channel: "show", uid: uid, time: now)
          }
        }
      }
    }
  }

  @Test(
    "other applications', other certificates' and empty tokens are refused; an old certificate counts while it is listed"
  )
  func authenticity() throws {
    refused(.wrongAppID) { $0.appID = String($0.appID.reversed()) }
    let other = String(certificate.reversed())
    let foreign = try token().text(certificate: other, crypto: tokenCrypto)
    #expect(throws: AccessTokenError.wrongSignature) {
      try verifier().rights(of: foreign, channel: "show", uid: 2_882_341_273, time: now)
    }
    let both = try TokenVerifier(appID: appID, certificates: [certificate, other], crypto: tokenCrypto)
    #expect(throws: Never.self) { try both.rights(of: foreign, channel: "show", uid: 2_882_341_273, time: now) }
    refused(.noService) { $0.services = [] }
    refused(.noService) { $0.services = [.signaling(SignalingTokenService(userID: "2882341273"))] }
    refused(.noPrivilege) {
      $0.services = [.rtc(RTCTokenService(privileges: [.publishAudio: 0], channel: "show", userID: ""))]
    }
  }

  @Test("who logs in to signalling needs a token for it that names them")
  func signaling() throws {
    func end(_ uid: UInt, at time: UInt64 = now, _ service: SignalingTokenService) throws -> UInt64 {
      try verifier().signalingEnd(of: text { $0.services.append(.signaling(service)) }, uid: uid, time: time)
    }
    #expect(try end(7, SignalingTokenService(userID: "7")) == now + 600)
    #expect(try end(7, SignalingTokenService(login: 60, userID: "7")) == now + 60)
    #expect(throws: AccessTokenError.wrongUser) { try end(8, SignalingTokenService(userID: "7")) }
    #expect(throws: AccessTokenError.wrongUser) { try end(7, SignalingTokenService(userID: "")) }
    #expect(throws: AccessTokenError.noPrivilege) { try end(7, SignalingTokenService(login: nil, userID: "7")) }
    #expect(throws: AccessTokenError.expired) {
      try end(7, at: now + 60, SignalingTokenService(login: 60, userID: "7"))
    }
    #expect(throws: AccessTokenError.noService) {
      try verifier().signalingEnd(of: text(), uid: 2_882_341_273, time: now)
    }
  }
}
