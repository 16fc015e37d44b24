import MediaEngine
import OpenSSLCrypto
import Testing

@testable import CallAPI

@Suite("Encryption of calls between the ends")
struct CallEncryptionTests {
  private static let now = CallInstant(monotonic: .zero, wallMilliseconds: 1_700_000_000_000)

  private static func keyPair(_ seed: UInt8) -> CallKeyPair? {
    CallKeyPair(privateKey: [UInt8](repeating: seed, count: 32))
  }

  private static func machine(_ uid: UInt, _ policy: CallEncryptionPolicy) -> CallStateMachine {
    var machine = CallStateMachine(userID: uid)
    _ = machine.prepare(
      PrepareConfiguration(roomID: "R\(uid)", endToEndEncryption: policy), completion: nil, now: now)
    return machine
  }

  /// What was sent, as it comes out of its form on the wire.
  private static func sent(_ effects: [CallEffect]) throws -> CallMessage {
    for case .send(let message, _, _, _) in effects { return try CallMessage(text: message.text) }
    throw CallError(message: "nothing was sent")
  }

  private static func summary(_ effects: [CallEffect]) -> [String] { effects.map { $0.summary(["done"]) } }

  private static func keys(_ effects: [CallEffect]) -> [CallMediaKey] {
    effects.compactMap { if case .encrypt(_, .key(let key)) = $0 { key } else { nil } }
  }

  private struct Outcome {
    var caller: CallStateMachine
    var callee: CallStateMachine
    var callerEffects: [CallEffect]
    var calleeEffects: [CallEffect]
    var messages: [CallMessage]
  }

  /// User 1 calls user 2, who accepts if it rings. What travels may be changed on its way.
  private static func call(
    _ callerPolicy: CallEncryptionPolicy, _ calleePolicy: CallEncryptionPolicy,
    onTheWay change: (inout CallMessage) -> Void = { _ in }
  ) throws -> Outcome {
    var result = Outcome(
      caller: machine(1, callerPolicy), callee: machine(2, calleePolicy), callerEffects: [], calleeEffects: [],
      messages: [])
    result.callerEffects = result.caller.call(
      2, type: .video, callID: "C", makeKeyPair: { keyPair(1) }, completion: nil, now: now)
    var offer = try sent(result.callerEffects)
    change(&offer)
    result.calleeEffects = result.callee.receive(offer, makeKeyPair: { keyPair(2) }, now: now)
    var answer: CallMessage
    if result.callee.state == .calling {
      let accepting = result.callee.accept(1, completion: nil, now: now)
      answer = try sent(accepting)
      result.calleeEffects += accepting
    } else {
      answer = try sent(result.calleeEffects)
    }
    change(&answer)
    result.messages = [offer, answer]
    result.callerEffects += result.caller.receive(answer, makeKeyPair: { keyPair(3) }, now: now)
    return result
  }

  @Test func `X25519 gives what RFC 7748 section 5_2 gives, and nothing for keys that are none`() {
    func bytes(_ text: String) -> [UInt8] {
      let digits = text.compactMap(\.hexDigitValue)
      return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
    let scalar = bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    let point = bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    #expect(
      OpenSSLCrypto.x25519(privateKey: scalar, publicKey: point)
        == bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
    for count in [0, 31, 33] {
      #expect(OpenSSLCrypto.x25519(privateKey: scalar, publicKey: [UInt8](repeating: 9, count: count)) == nil)
      #expect(OpenSSLCrypto.x25519PublicKey([UInt8](repeating: 9, count: count)) == nil)
    }
    // Of small order: the secret would be the same for everybody.
    #expect(OpenSSLCrypto.x25519(privateKey: scalar, publicKey: [UInt8](repeating: 0, count: 32)) == nil)
    #expect(
      OpenSSLCrypto.x25519(privateKey: scalar, publicKey: [1] + [UInt8](repeating: 0, count: 31)) == nil)
    let (one, other) = (OpenSSLCrypto.makeX25519KeyPair(), OpenSSLCrypto.makeX25519KeyPair())
    #expect(one != nil && one?.publicKey != other?.publicKey)
  }

  @Test func `both sides have the same key and the same digits, and neither has been sent`() throws {
    let call = try Self.call(.required, .preferred)
    let (callerKeys, calleeKeys) = (Self.keys(call.callerEffects), Self.keys(call.calleeEffects))
    let key = try #require(callerKeys.first)
    #expect(callerKeys == [key] && calleeKeys == [key])
    #expect(key.text.count == 64)
    let digits = try #require(call.caller.authenticationText)
    #expect(digits == call.callee.authenticationText)
    #expect(digits.count == 14 && digits.allSatisfy { $0.isNumber || $0 == " " })
    for message in call.messages {
      #expect(message.publicKey?.count == 32)
      #expect(!message.text.contains(key.text) && !message.text.contains(digits))
      for seed in UInt8(1)...2 {
        let secret = [UInt8](repeating: seed, count: 32)
        #expect(message.publicKey != secret && !message.text.contains(String(repeating: "0\(seed)", count: 32)))
      }
    }
    #expect(!"\(call.callerEffects)".contains(key.text))
  }

  @Test func `the caller shows nothing before the key has come, the callee nothing before it has accepted`() throws {
    let call = try Self.call(.required, .required)
    let caller = Self.summary(call.callerEffects).filter { !$0.hasPrefix("E") && !$0.hasPrefix("S") }
    #expect(
      caller == ["M>call 2", "timer 15000", "await key R1", "join R1 video", "encrypt R1", "publish R1 video"])
    let callee = Self.summary(call.calleeEffects).filter { !$0.hasPrefix("E") && !$0.hasPrefix("S") }
    #expect(callee == ["timer 15000", "encrypt R1", "join R1 video", "M>accept 1", "publish R1 video"])
  }

  @Test func `every pair of policies ends in one key, in plain agreement, or in a clear error`() throws {
    for caller in CallEncryptionPolicy.allCases {
      for callee in CallEncryptionPolicy.allCases {
        let call = try Self.call(caller, callee)
        let effects = Self.summary(call.callerEffects) + Self.summary(call.calleeEffects)
        let error = "error 0 0 -120 \(CallMessage.encryptionReason)"
        switch (caller, callee) {
        case (.off, .required):
          #expect(call.caller.state == .prepared && call.callee.state == .prepared)
          #expect(effects.contains("M>reject 1") && effects.contains(error))
          #expect(call.messages[1].rejectReason == CallMessage.encryptionReason)
        case (.required, .off):
          #expect(call.caller.state == .prepared && call.callee.state == .connecting)
          #expect(effects.contains("M>hangup 2") && effects.contains(error))
          #expect(!Self.summary(call.callerEffects).contains { $0.hasPrefix("publish") || $0.hasSuffix("publishing") })
        case (.off, _), (_, .off):
          #expect(call.caller.state == .connecting && call.callee.state == .connecting)
          #expect(Self.keys(call.callerEffects + call.calleeEffects).isEmpty)
          #expect(call.caller.authenticationText == nil && call.callee.authenticationText == nil)
          #expect(
            Self.summary(call.callerEffects).contains {
              $0 == "publish R1 video" || $0 == "join R1 video publishing"
            })
        default:
          #expect(call.caller.state == .connecting && call.callee.state == .connecting)
          #expect(Set(Self.keys(call.callerEffects + call.calleeEffects)).count == 1)
        }
      }
    }
  }

  @Test func `whoever takes the keys out of the messages gets a plain call where it is only preferred, and none else`()
    throws
  {
    let preferred = try Self.call(.preferred, .preferred) { $0.publicKey = nil }
    #expect(preferred.caller.state == .connecting && preferred.callee.state == .connecting)
    #expect(preferred.caller.authenticationText == nil)
    #expect(Self.summary(preferred.callerEffects).contains { $0.hasPrefix("warning") })
    for (caller, callee) in [(CallEncryptionPolicy.required, CallEncryptionPolicy.preferred), (.preferred, .required)] {
      let call = try Self.call(caller, callee) { $0.publicKey = nil }
      #expect(call.caller.state == .prepared)
      #expect(Self.keys(call.callerEffects + call.calleeEffects).isEmpty)
    }
  }

  @Test(arguments: [[], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 7, count: 31)])
  func `a key that is none counts as no key`(key: [UInt8]) throws {
    let call = try Self.call(.required, .required) { $0.publicKey = key }
    #expect(call.caller.state == .prepared && call.callee.state == .prepared)
  }

  @Test func `who stands between the two gives each another key, and the digits tell`() throws {
    let middle = try #require(Self.keyPair(9))
    let call = try Self.call(.required, .required) { $0.publicKey = middle.publicKey }
    #expect(call.caller.state == .connecting && call.callee.state == .connecting)
    #expect(Self.keys(call.callerEffects) != Self.keys(call.calleeEffects))
    #expect(call.caller.authenticationText != call.callee.authenticationText)
  }

  @Test func `a call or an acceptance that comes again with another key changes nothing`() throws {
    let other = try #require(Self.keyPair(9))
    var (caller, callee) = (Self.machine(1, .required), Self.machine(2, .required))
    let calling = caller.call(
      2, type: .video, callID: "C", makeKeyPair: { Self.keyPair(1) }, completion: nil, now: Self.now)
    var offer = try Self.sent(calling)
    _ = callee.receive(offer, makeKeyPair: { Self.keyPair(2) }, now: Self.now)
    let digits = callee.authenticationText
    offer.publicKey = other.publicKey
    #expect(callee.receive(offer, makeKeyPair: { Self.keyPair(4) }, now: Self.now).isEmpty)
    #expect(callee.authenticationText == digits)
    var answer = try Self.sent(callee.accept(1, completion: nil, now: Self.now))
    _ = caller.receive(answer, now: Self.now)
    answer.publicKey = other.publicKey
    #expect(Self.keys(caller.receive(answer, now: Self.now)).isEmpty)
    #expect(caller.authenticationText == digits)
    // Nor does a call that is over come back.
    _ = callee.hangUp(1, reason: nil, completion: nil, now: Self.now)
    #expect(callee.receive(offer, makeKeyPair: { Self.keyPair(5) }, now: Self.now).isEmpty)
    #expect(callee.authenticationText == nil)
  }

  @Test func `the key is of this call, this room, these users and these keys only`() throws {
    let (one, two) = (try #require(Self.keyPair(1)), try #require(Self.keyPair(2)))
    func keys(
      isCaller: Bool = true, userID: UInt = 1, peer: UInt = 2, callID: String = "C", room: String = "R"
    ) -> CallKeys? {
      CallKeys(
        own: one, peerPublicKey: two.publicKey, isCaller: isCaller, userID: userID, peer: peer, callID: callID,
        room: room)
    }
    let all = [
      keys(), keys(isCaller: false), keys(userID: 3), keys(peer: 3), keys(callID: "D"), keys(room: "S"),
      keys(callID: "CR", room: ""), keys(callID: "", room: "CR"),
    ]
    #expect(Set(all.map { $0?.media }).count == all.count && all.allSatisfy { $0 != nil })
    #expect(Set(all.map { $0?.authenticationText }).count == all.count)
    let other = CallKeys(
      own: two, peerPublicKey: one.publicKey, isCaller: false, userID: 2, peer: 1, callID: "C", room: "R")
    #expect(other == keys())
  }

  @Test func `both calling each other at once agree on one key`() throws {
    var (one, two) = (Self.machine(1, .required), Self.machine(2, .required))
    let first = one.call(2, type: .video, callID: "A", makeKeyPair: { Self.keyPair(1) }, completion: nil, now: Self.now)
    let second = two.call(
      1, type: .video, callID: "B", makeKeyPair: { Self.keyPair(2) }, completion: nil, now: Self.now)
    #expect(one.receive(try Self.sent(second), makeKeyPair: { Self.keyPair(3) }, now: Self.now).isEmpty)
    let met = two.receive(try Self.sent(first), makeKeyPair: { Self.keyPair(4) }, now: Self.now)
    let accepted = one.receive(try Self.sent(met), now: Self.now)
    #expect(one.authenticationText != nil && one.authenticationText == two.authenticationText)
    #expect(Self.keys(met) == Self.keys(accepted) && Self.keys(met).count == 1)
    #expect(Self.summary(met).contains("encrypt R1"))
  }
}
