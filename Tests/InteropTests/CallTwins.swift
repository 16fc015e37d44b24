import CallAPI
import Foundation
import MediaEngine

/// The call state machines in Swift and in JavaScript take the same steps; all they want done is written down.
enum CallTwins {
  /// Milliseconds from one step to the next: some calls of one caller come too soon after each other.
  private static let pace = 137

  static func instant(_ step: Int) -> CallInstant {
    CallInstant(
      monotonic: MediaInstant(nanoseconds: Int64(1_000 + pace * step) * 1_000_000),
      wallMilliseconds: 1_700_000_000_000 + Int64(pace * step))
  }

  /// What the Swift machine of user 5 does, step by step, and what was told of states.
  static func swift(_ steps: [CallStep]) -> (lines: [String], states: [String]) {
    var machine = CallStateMachine(userID: 5)
    var states: [String] = []
    let lines = steps.enumerated().map { index, step in
      line(&machine, step, at: index, &states)
    }
    return (lines, states)
  }

  /// Lets a machine take a step; the line for it.
  static func line(
    _ machine: inout CallStateMachine, _ step: CallStep, at index: Int, _ states: inout [String]
  ) -> String {
    let effects = step.run(&machine, instant(index))
    for case .notify(.state(let state, let reason, _, _)) in effects ?? [] { states.append("\(state).\(reason)") }
    return text([
      "effects": effects.map { $0.map(describe) as Any } ?? NSNull(), "state": machine.state.rawValue,
      "callID": machine.callID, "room": machine.room as Any? ?? NSNull(),
    ])
  }

  /// What the machine in JavaScript does.
  static func script(_ walks: [[CallStep]], _ page: Page) async throws -> [[String]] {
    try await page.evaluate(replay)
    var answers: [[String]] = []
    // One by one: DevTools takes no long messages.
    for walk in walks {
      let steps = try JSONSerialization.data(withJSONObject: walk.map(\.script))
      let answer = try await page.evaluate("replay(\(String(decoding: steps, as: UTF8.self)))")
      let lines = try JSONSerialization.jsonObject(with: Data((answer as? String ?? "").utf8)) as? [Any] ?? []
      answers.append(lines.map(text))
    }
    return answers
  }

  private static let replay = """
    (async () => {
      const { CallStateMachine } = await import('/call.js')
      const { agreementFor } = await import('/callkeys.js')
      const { readMessage } = await import('/callmessage.js')
      const keyPair = \(CallTwinKeys.script)
      const take = async (machine, step, now) => {
        const { peer, reason } = step
        switch (step.do) {
          case 'prepare': return machine.prepare(step.configuration, 1, now)
          case 'call': return machine.call(peer, step.type, { from: 'the test' }, step.callID, 2, now, 'fresh',
            machine.wantsKeysToCall(peer, 'fresh') && step.canMakeKeys ? keyPair : null)
          case 'token': return machine.renewToken(step.token)
          case 'cancel': return machine.cancelCall(3, now)
          case 'accept': return machine.accept(peer, 4, now)
          case 'reject': return machine.reject(peer, reason, 5, now)
          case 'hangUp': return machine.hangUp(peer, reason, 6, now)
          case 'deinitialize': return machine.deinitialize(7, now)
          case 'timer': return machine.timerFired(now)
          case 'sent': return machine.sendFinished(step.id, step.error, now)
          case 'channel': return machine.channel(step.room, step.event, now)
          case 'text': {
            const message = readMessage(step.text)
            const context = message && machine.contextOfKeys(message, now)
            const agreement = context && await agreementFor(context, message.e2ePublicKey, async () => keyPair)
            return message && machine.receive(message, now, () => step.joins, agreement)
          }
        }
      }
      globalThis.replay = async (steps) => {
        const machine = new CallStateMachine(5)
        const lines = []
        for (const [index, step] of steps.entries()) {
          const now = {
            monotonic: 1_000 + \(pace) * index, wallMilliseconds: 1_700_000_000_000 + \(pace) * index,
          }
          const effects = await take(machine, step, now)
          lines.push({ effects, state: machine.state, callID: machine.callID, room: machine.room })
        }
        return JSON.stringify(lines)
      }
    })()
    """

  private static func text(_ object: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// An effect as call.js writes it.
  private static func describe(_ effect: CallEffect) -> [String: Any] {
    switch effect {
    case .send(let message, let to, let id, let life):
      [
        "kind": "send", "message": object(message.text), "to": to, "id": id,
        "timeToLive": life as Any? ?? NSNull(),
      ]
    case .join(let room, let token, let isVideo, let peer, let publishes):
      ["kind": "join", "room": room, "token": token, "isVideo": isVideo, "peer": peer, "publishes": publishes]
    case .encrypt(let room, .key(let key)): ["kind": "encrypt", "room": room, "encryption": ["media": key.text]]
    case .encrypt(let room, let encryption): ["kind": "encrypt", "room": room, "encryption": "\(encryption)"]
    case .publish(let room, let isVideo): ["kind": "publish", "room": room, "isVideo": isVideo]
    case .leave(let room): ["kind": "leave", "room": room]
    case .reveal(let room, let peer): ["kind": "reveal", "room": room, "peer": peer]
    case .renewToken(let room, let token): ["kind": "renewToken", "room": room, "token": token]
    case .startTimer(let milliseconds): ["kind": "startTimer", "milliseconds": milliseconds]
    case .stopTimer: ["kind": "stopTimer"]
    case .report(let report): ["kind": "report", "name": report.name]
    case .notify(let notification): describe(notification)
    case .complete(let id, let error):
      [
        "kind": "complete", "id": id,
        "error": error.map {
          ["code": $0.code, "message": $0.message, "isUndelivered": $0.isUndelivered] as [String: Any] as Any
        } ?? NSNull(),
      ]
    }
  }

  private static func describe(_ notification: CallNotification) -> [String: Any] {
    switch notification {
    case .state(let state, let reason, let text, let info):
      ["kind": "state", "state": state.rawValue, "reason": reason.rawValue, "text": text, "info": object(info)]
    case .event(let event, let text): ["kind": "event", "event": event.rawValue, "text": text as Any? ?? NSNull()]
    case .error(let event, let type, let code, let message):
      [
        "kind": "error", "event": event.rawValue, "type": type.rawValue, "code": code,
        "message": message as Any? ?? NSNull(),
      ]
    case .connected(let room, let caller, let timestamp):
      ["kind": "connected", "room": room, "callUserID": caller, "timestamp": timestamp]
    case .disconnected(let room, let ender, let timestamp, let duration):
      ["kind": "disconnected", "room": room, "hangupUserID": ender, "timestamp": timestamp, "duration": duration]
    case .warning(let text): ["kind": "warning", "text": text]
    }
  }

  private static func object(_ text: String) -> Any {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) ?? [:]
  }

  private static func object(_ info: [String: JSONValue]) -> Any {
    (try? JSONEncoder().encode(info)).flatMap { try? JSONSerialization.jsonObject(with: $0) } ?? [:]
  }
}
