import CallAPI
import Foundation
import MediaBase

/// What an application or the other side does to a `CallAPI`, in Swift and in JavaScript alike.
enum CallLayerAction {
  /// - Parameter hasTokens: whether somebody is asked for the tokens of rooms.
  case prepare(encryption: CallEncryptionPolicy, isFirstFrameWaitingDisabled: Bool, hasTokens: Bool = false)
  /// The oldest question for a token that has no answer gets one.
  case token(String?)
  case call(UInt)
  case cancel
  case accept(UInt)
  case reject(UInt)
  case hangUp(UInt)
  case renewToken
  case deinitialize
  /// The application joins a channel itself.
  case join(String)
  /// A text comes; `$own` in it is the id of the call that has gone out last.
  case text(String, from: UInt)
  /// The oldest text that has gone out without an answer gets one.
  case sent(isDelivered: Bool)

  var script: [String: Any] {
    switch self {
    case .prepare(let encryption, let isDisabled, let hasTokens):
      [
        "do": "prepare", "encryption": "\(encryption)", "isFirstFrameWaitingDisabled": isDisabled,
        "hasTokens": hasTokens,
      ]
    case .token(let token): ["do": "token", "token": token as Any? ?? NSNull()]
    case .call(let peer): ["do": "call", "peer": peer]
    case .cancel: ["do": "cancelCall"]
    case .accept(let peer): ["do": "accept", "peer": peer]
    case .reject(let peer): ["do": "reject", "peer": peer]
    case .hangUp(let peer): ["do": "hangup", "peer": peer]
    case .renewToken: ["do": "renewToken"]
    case .deinitialize: ["do": "deinitialize"]
    case .join(let room): ["do": "join", "room": room]
    case .text(let text, let from): ["do": "text", "text": text, "from": from]
    case .sent(let isDelivered): ["do": "sent", "isDelivered": isDelivered]
    }
  }

  /// A message of the other side.
  static func message(
    _ action: CallAction, from uid: UInt, id: String = "$own", room: String? = nil, publicKey: [UInt8]? = nil,
    sender: UInt? = nil
  ) -> CallLayerAction {
    var message = CallMessage(action, fromUserID: uid, callID: id)
    message.messageID = 1
    message.remoteUserID = 5
    message.fromRoomID = room
    message.publicKey = publicKey
    return .text(message.text, from: sender ?? uid)
  }
}

/// Bursts of things that happen at random, each before what came of the last one is over; all follows from the seed.
struct CallLayerWalk {
  private var random: SeededRandom
  private var callCount = 0
  /// Who is called and calls at present, mostly.
  private var peer: UInt = 3

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func bursts(_ count: Int) -> [[CallLayerAction]] {
    [[preparation()]] + (1..<count).map { _ in burst() }
  }

  private mutating func burst() -> [CallLayerAction] {
    if number(4) == 0 { return [.sent(isDelivered: number(3) > 0)] }
    // Alone: in browsers promises take a moment more.
    if number(4) == 0 { return [.token(pick(["good", "other", nil, "failure"]))] }
    if number(12) == 0 { peer = pick([3, 9]) }
    var actions: [CallLayerAction] = []
    for _ in 0...number(4) {
      actions.append(action())
      if case .deinitialize = actions.last {
        // Nothing of the other side: in Swift it would still be the old life's.
        for _ in 0...number(3) { actions.append(request()) }
        actions.append(preparation())
        for _ in 0...number(2) { actions.append(request()) }
        break
      }
    }
    return actions
  }

  private mutating func action() -> CallLayerAction {
    switch number(20) {
    case 0: .deinitialize
    case 1: preparation()
    case 2...9: request()
    default: message()
    }
  }

  private mutating func preparation() -> CallLayerAction {
    .prepare(
      encryption: pick([.off, .preferred, .required]), isFirstFrameWaitingDisabled: number(3) > 0,
      hasTokens: number(3) == 0)
  }

  private mutating func request() -> CallLayerAction {
    switch number(9) {
    case 0, 1, 2: .call(someone())
    case 3: .cancel
    case 4, 5: .accept(someone())
    case 6: .reject(someone())
    case 7: .hangUp(someone())
    default: .renewToken
    }
  }

  private mutating func message() -> CallLayerAction {
    switch number(12) {
    case 0, 1, 2, 3:
      callCount += 1
      return .message(
        pick([.videoCall, .audioCall]), from: someone(), id: "in-\(callCount)",
        room: pick(["R3", "R3", "elsewhere", ""]), publicKey: publicKey())
    case 4, 5, 6, 7: return .message(.accept, from: someone(), id: callID(), publicKey: publicKey())
    case 8: return .message(pick([.reject, .cancelCall]), from: someone(), id: callID())
    case 9: return .message(.hangup, from: peer, id: callID(), sender: pick([0, peer, 9]))
    case 10: return .message(.videoCall, from: 3, id: "forged", room: "R3", sender: 9)
    default: return .text(pick(["", "{}", "no message"]), from: peer)
    }
  }

  private mutating func publicKey() -> [UInt8]? {
    pick([nil, CallTwinKeys.peerPublicKey, CallTwinKeys.peerPublicKey, CallTwinKeys.uselessPublicKey])
  }
  private mutating func someone() -> UInt { number(6) > 0 ? peer : pick([3, 9, 5, 0]) }
  private mutating func callID() -> String { number(3) > 0 ? "$own" : "in-\(callCount)" }
  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }
}
