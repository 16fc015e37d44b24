import CallAPI
import Foundation
import MediaEngine

/// One thing that happens to a call state machine: the Swift machine takes it by `run`, the one in JavaScript as `script`.
struct CallStep {
  let script: [String: Any]
  let run: (inout CallStateMachine, CallInstant) -> [CallEffect]?

  private init(
    _ name: String, _ script: [String: Any],
    _ run: @escaping (inout CallStateMachine, CallInstant) -> [CallEffect]?
  ) {
    self.script = script.merging(["do": name]) { $1 }
    self.run = run
  }

  static func prepare(
    _ room: String, timeout: Int = 15_000, isFirstFrameWaitingDisabled: Bool = false, absence: Int = 0,
    encryption: CallEncryptionPolicy = .off
  ) -> CallStep {
    let configuration = PrepareConfiguration(
      roomID: room, rtcToken: "first", callTimeoutMilliseconds: timeout, userExtension: ["name": "Ann"],
      isFirstFrameWaitingDisabled: isFirstFrameWaitingDisabled, endToEndEncryption: encryption,
      peerAbsenceTimeoutMilliseconds: absence)
    let script: [String: Any] = [
      "roomID": room, "rtcToken": "first", "peerAbsenceTimeoutMilliseconds": absence,
      "callTimeoutMilliseconds": timeout, "userExtension": ["name": "Ann"],
      "isFirstFrameWaitingDisabled": isFirstFrameWaitingDisabled, "endToEndEncryption": "\(encryption)",
    ]
    return CallStep("prepare", ["configuration": script]) { $0.prepare(configuration, completion: 1, now: $1) }
  }

  static func call(_ peer: UInt, _ type: CallType = .video, id: String, canMakeKeys: Bool = true) -> CallStep {
    CallStep("call", ["peer": peer, "type": type.rawValue, "callID": id, "canMakeKeys": canMakeKeys]) {
      $0.call(
        peer, type: type, callExtension: ["from": "the test"], callID: id, freshRoomID: "fresh",
        makeKeyPair: { canMakeKeys ? CallTwinKeys.own : nil }, completion: 2, now: $1)
    }
  }

  static var cancel: CallStep { CallStep("cancel", [:]) { $0.cancelCall(completion: 3, now: $1) } }

  static func accept(_ peer: UInt) -> CallStep {
    CallStep("accept", ["peer": peer]) { $0.accept(peer, completion: 4, now: $1) }
  }

  static func reject(_ peer: UInt, _ reason: String? = nil) -> CallStep {
    CallStep("reject", ["peer": peer, "reason": reason as Any? ?? NSNull()]) {
      $0.reject(peer, reason: reason, completion: 5, now: $1)
    }
  }

  static func hangUp(_ peer: UInt, _ reason: String? = nil) -> CallStep {
    CallStep("hangUp", ["peer": peer, "reason": reason as Any? ?? NSNull()]) {
      $0.hangUp(peer, reason: reason, completion: 6, now: $1)
    }
  }

  static func token(_ token: String) -> CallStep {
    CallStep("token", ["token": token]) { $0.renewToken(token, now: $1) }
  }

  static var deinitialize: CallStep { CallStep("deinitialize", [:]) { $0.deinitialize(completion: 7, now: $1) } }
  static var timer: CallStep { CallStep("timer", [:]) { $0.timerFired(now: $1) } }

  static func sent(_ id: Int, code: Int? = nil, isUndelivered: Bool = false) -> CallStep {
    let error = code.map { CallError(code: $0, message: "User is not there.", isUndelivered: isUndelivered) }
    let script: Any =
      error.map {
        ["code": $0.code, "message": $0.message, "isUndelivered": $0.isUndelivered] as [String: Any]
      } ?? NSNull()
    return CallStep("sent", ["id": id, "error": script]) { $0.sendFinished(id, error, now: $1) }
  }

  /// A text from the other side; without effects if it is not understood.
  static func text(_ text: String, joins: Bool = true) -> CallStep {
    CallStep("text", ["text": text, "joins": joins]) { machine, now in
      guard let message = try? CallMessage(text: text) else { return nil }
      return machine.receive(
        message, joinsOnCalling: { _ in joins }, makeKeyPair: { CallTwinKeys.own }, now: now)
    }
  }

  /// A message from the other side.
  static func message(
    _ action: CallAction, from uid: UInt, id: String, room: String? = nil, internally: Bool = false,
    isServers: Bool = false, reason: String = "tired",
    joins: Bool = true, publicKey: [UInt8]? = nil
  ) -> CallStep {
    var message = CallMessage(action, fromUserID: uid, callID: id)
    if !isServers { message.messageID = 4 }
    message.timestamp = 1_700_000_000_000
    message.remoteUserID = 5
    message.fromRoomID = room
    message.isRejectedByBusyness = internally
    message.isCancelledByTimer = internally
    message.hangupReason = reason
    message.publicKey = publicKey
    message.fromUserExtension = ["name": "Bob", "age": 30]
    return text(message.text, joins: joins)
  }

  static func channel(_ room: String, _ event: CallStateMachine.ChannelEvent) -> CallStep {
    let script: [String: Any] =
      switch event {
      case .joined: ["kind": "joined"]
      case .left: ["kind": "left"]
      case .cutOff: ["kind": "cutOff"]
      case .rejoined: ["kind": "rejoined"]
      case .taken: ["kind": "taken"]
      case .failed(let code, let message): ["kind": "failed", "code": code, "message": message as Any? ?? NSNull()]
      case .captureFailed(let code, let message):
        ["kind": "captureFailed", "code": code, "message": message as Any? ?? NSNull()]
      case .userJoined(let uid): ["kind": "userJoined", "uid": uid]
      case .userLeft(let uid, let reason): ["kind": "userLeft", "uid": uid, "reason": reason]
      case .remoteVideo(let uid): ["kind": "remoteVideo", "uid": uid]
      case .remoteAudio(let uid): ["kind": "remoteAudio", "uid": uid]
      case .localVideoCaptured: ["kind": "localVideoCaptured"]
      case .localVideoPublished: ["kind": "localVideoPublished"]
      case .localAudioPublished: ["kind": "localAudioPublished"]
      }
    return CallStep("channel", ["room": room, "event": script]) { $0.channel(room, event, now: $1) }
  }
}
