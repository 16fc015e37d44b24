import MediaEngine

@testable import CallAPI

/// Every situation that a call state machine can be in, and everything that can happen to it there.
enum CallTable {
  /// User 1 with user 2; `Out`: user 1 has called, `In`: user 2 has.
  enum Situation: String, CaseIterable {
    case idle, prepared, callingOut, callingIn, connectingOut, connectingIn, connectedOut, connectedIn
  }

  typealias Step = @Sendable (inout CallStateMachine, CallInstant) -> [CallEffect]

  /// One thing that can happen, by its name in the table.
  struct Happening: Sendable {
    var name: String
    var step: Step

    init(_ name: String, _ step: @escaping Step) { (self.name, self.step) = (name, step) }
  }

  private static func instant(_ milliseconds: Int64) -> CallInstant {
    CallInstant(monotonic: .zero + .milliseconds(milliseconds), wallMilliseconds: 1_700_000_000_000 + milliseconds)
  }

  /// A message of user 2 about the present call.
  static func message(
    _ action: CallAction, from uid: UInt = 2, id: String = "now", room: String? = nil, isTimers: Bool = false,
    isServers: Bool = false
  ) -> CallMessage {
    var message = CallMessage(action, fromUserID: uid, callID: id)
    message.fromRoomID = room
    message.isCancelledByTimer = isTimers
    message.isRejectedByBusyness = isTimers
    message.messageID = isServers ? nil : 9
    return message
  }

  /// A machine in a situation, half a second after its beginning.
  static func machine(_ situation: Situation, _ type: CallType = .video, absence: Int = 0) -> CallStateMachine {
    var machine = CallStateMachine(userID: 1)
    guard situation != .idle else { return machine }
    let now = instant(500)
    let configuration = PrepareConfiguration(roomID: "R1", peerAbsenceTimeoutMilliseconds: absence)
    _ = machine.prepare(configuration, completion: nil, now: now)
    guard situation != .prepared else { return machine }
    let isCaller = [.callingOut, .connectingOut, .connectedOut].contains(situation)
    if isCaller {
      _ = machine.call(2, type: type, callID: "now", completion: nil, now: now)
    } else {
      _ = machine.receive(message(type == .video ? .videoCall : .audioCall, room: "R2"), now: now)
    }
    guard situation != .callingOut, situation != .callingIn else { return machine }
    _ =
      isCaller
      ? machine.receive(message(.accept), now: now) : machine.accept(2, completion: nil, now: now)
    guard situation == .connectedOut || situation == .connectedIn else { return machine }
    let room = machine.room ?? ""
    _ = machine.channel(room, type == .video ? .remoteVideo(2) : .remoteAudio(2), now: now)
    return machine
  }

  /// What comes of a happening in a situation, in short texts.
  static func effects(_ happening: Happening, _ situation: Situation, _ type: CallType = .video, absence: Int = 0)
    -> String
  {
    var machine = machine(situation, type, absence: absence)
    let effects = happening.step(&machine, instant(2_000))
    return effects.isEmpty ? "nothing" : effects.map { $0.summary(["completion"]) }.joined(separator: ", ")
  }

  /// A table as text: the name of a happening, and then lines with situations and what comes of it there.
  static func text(_ happenings: [Happening], _ type: CallType = .video, absence: Int = 0) -> String {
    happenings.map { happening in
      var groups: [(situations: [String], effects: String)] = []
      for situation in Situation.allCases {
        let effects = effects(happening, situation, type, absence: absence)
        if let index = groups.firstIndex(where: { $0.effects == effects }) {
          groups[index].situations.append(situation.rawValue)
        } else {
          groups.append(([situation.rawValue], effects))
        }
      }
      let lines = groups.map { "  \($0.situations.joined(separator: " ")): \($0.effects)" }
      return ([happening.name] + lines).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension CallTable {
  /// What the application asks for, and what becomes of it.
  static let requests: [Happening] = [
    Happening("prepareForCall") { $0.prepare(PrepareConfiguration(roomID: "R7"), completion: 1, now: $1) },
    Happening("call 2") { $0.call(2, type: .video, callID: "next", completion: 1, now: $1) },
    Happening("call 3 by sound") { $0.call(3, type: .audio, callID: "next", completion: 1, now: $1) },
    Happening("call oneself") { $0.call(1, type: .video, callID: "next", completion: 1, now: $1) },
    Happening("call nobody") { $0.call(0, type: .video, callID: "next", completion: 1, now: $1) },
    Happening("cancelCall") { $0.cancelCall(completion: 1, now: $1) },
    Happening("accept 2") { $0.accept(2, completion: 1, now: $1) },
    Happening("accept 3") { $0.accept(3, completion: 1, now: $1) },
    Happening("reject 2") { $0.reject(2, reason: "no", completion: 1, now: $1) },
    Happening("reject 3") { $0.reject(3, reason: nil, completion: 1, now: $1) },
    Happening("hangup 2") { $0.hangUp(2, reason: "bye", completion: 1, now: $1) },
    Happening("hangup 3") { $0.hangUp(3, reason: nil, completion: 1, now: $1) },
    Happening("renewToken") { $0.renewToken("T", now: $1) },
    Happening("deinitialize") { $0.deinitialize(completion: 1, now: $1) },
    Happening("the timer fires") { $0.timerFired(now: $1) },
    Happening("the first message was handed over") { $0.sendFinished(1, nil, now: $1) },
    Happening("the first message could not be sent") {
      $0.sendFinished(1, CallError(code: 1_404, message: "gone"), now: $1)
    },
  ]

  /// What the other side, others and servers say.
  static let messages: [Happening] = [
    Happening("call of 2, new id and room") { $0.receive(message(.videoCall, id: "new", room: "R9"), now: $1) },
    Happening("call of 2, the same again") { $0.receive(message(.videoCall, id: "now", room: "R2"), now: $1) },
    Happening("call of 2, without id") { $0.receive(message(.videoCall, id: "", room: "R2"), now: $1) },
    Happening("call of 2 by sound, new id and room") {
      $0.receive(message(.audioCall, id: "new", room: "R9"), now: $1)
    },
    Happening("call of 2, not to be joined while it rings") {
      $0.receive(message(.videoCall, id: "new", room: "R9"), joinsOnCalling: { _ in false }, now: $1)
    },
    Happening("call of 3") { $0.receive(message(.videoCall, from: 3, id: "other", room: "R3"), now: $1) },
    Happening("call without a room") { $0.receive(message(.videoCall), now: $1) },
    Happening("call of oneself") { $0.receive(message(.videoCall, from: 1, room: "R2"), now: $1) },
    Happening("call of nobody") { $0.receive(message(.videoCall, from: 0, room: "R2"), now: $1) },
    Happening("cancel") { $0.receive(message(.cancelCall), now: $1) },
    Happening("cancel by timer") { $0.receive(message(.cancelCall, isTimers: true), now: $1) },
    Happening("reject") { $0.receive(message(.reject), now: $1) },
    Happening("reject for busyness") { $0.receive(message(.reject, isTimers: true), now: $1) },
    Happening("accept") { $0.receive(message(.accept), now: $1) },
    Happening("hangup") { $0.receive(message(.hangup), now: $1) },
    Happening("hangup of a server under another id") {
      $0.receive(message(.hangup, id: "x", isServers: true), now: $1)
    },
    Happening("cancel without id or number") { $0.receive(message(.cancelCall, id: "", isServers: true), now: $1) },
    Happening("accept without id or number") { $0.receive(message(.accept, id: "", isServers: true), now: $1) },
  ]

  /// Nothing ever comes of these.
  static let irrelevant: [Happening] =
    [.cancelCall, .reject, .accept, .hangup].flatMap { (action: CallAction) in
      [
        Happening("\(action) of 3") { $0.receive(message(action, from: 3), now: $1) },
        Happening("\(action) of an earlier call") { $0.receive(message(action, id: "earlier"), now: $1) },
      ]
    }
    + (events.filter { $0 != .left }).map { event in
      Happening("\(event.summary) in another channel") { $0.channel("elsewhere", event, now: $1) }
    }
    + [
      Happening("a message that nobody knows was sent") { $0.sendFinished(99, nil, now: $1) },
      Happening("3 comes") { $0.channel($0.room ?? "", .userJoined(3), now: $1) },
      Happening("3 goes") { $0.channel($0.room ?? "", .userLeft(3, reason: 0), now: $1) },
      Happening("3 is seen") { $0.channel($0.room ?? "", .remoteVideo(3), now: $1) },
      Happening("3 is heard") { $0.channel($0.room ?? "", .remoteAudio(3), now: $1) },
    ]

  private static let events: [CallStateMachine.ChannelEvent] = [
    .joined, .left, .cutOff, .rejoined, .taken, .failed(code: 109, message: "late"),
    .captureFailed(code: 1_003, message: "no"), .userJoined(2), .userLeft(2, reason: 1), .remoteVideo(2),
    .remoteAudio(2), .localVideoCaptured,
    .localVideoPublished,
    .localAudioPublished,
  ]

  /// What happens in the channel of the call.
  static let channel: [Happening] = events.map { event in
    Happening(event.summary) { $0.channel($0.room ?? "nowhere", event, now: $1) }
  }
}

extension CallStateMachine.ChannelEvent {
  fileprivate var summary: String {
    switch self {
    case .failed(let code, _): "failed \(code)"
    case .captureFailed(let code, _): "captureFailed \(code)"
    case .userLeft(let uid, let reason): "userLeft \(uid) for \(reason)"
    case .userJoined(let uid): "userJoined \(uid)"
    case .remoteVideo(let uid): "remoteVideo \(uid)"
    case .remoteAudio(let uid): "remoteAudio \(uid)"
    default: "\(self)"
    }
  }
}
