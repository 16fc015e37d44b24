public import ControlWire
public import MediaBase

extension SignalDirectory {
  mutating func relayElsewhere(
    _ message: ReceivedMessage, to: UInt, origin: SignalOrigin, timeToLive: MediaDuration, now: MediaInstant
  ) {
    let text = RemoteText(
      number: remoteTexts.nextNumber(), from: message.from, to: to, message: message.message,
      messageID: message.messageID, timeToLive: timeToLive)
    remoteTexts.append(RemoteWaits.Wait(text: text, origin: origin, expiryTime: now + timeToLive))
    remoteDeadlines.set(text.number, max(now + timeToLive, now + Self.sweepInterval))
    append(.remoteText(text))
    noteHolding(of: to)
    limitHoldings(now: now)
  }

  /// A text that another server was given has no answer in time: it may have come or not.
  mutating func giveBackRemote(_ number: UInt64, now: MediaInstant) {
    guard let wait = removeRemote(number) else { return }
    answer(wait.origin, Self.notConfirmed(by: wait.text.to), expiryTime: wait.expiryTime, now: now)
  }

  private mutating func removeRemote(_ number: UInt64) -> RemoteWaits.Wait? {
    guard let wait = remoteTexts.remove(number) else { return nil }
    remoteDeadlines.set(number, nil)
    noteHolding(of: wait.text.to)
    return wait
  }

  /// What has become of a text that was given to another server: `nil` if it has been delivered.
  public mutating func remoteAnswered(_ number: UInt64, error: ErrorResponse?, now: MediaInstant) {
    guard let wait = removeRemote(number) else { return }
    answer(wait.origin, error, expiryTime: wait.expiryTime, now: now)
    if error?.code == .userOffline {
      append(.unreachable(message: wait.text.message, from: wait.text.from, to: wait.text.to))
    }
  }

  /// Another server gives a text for a user here; answered by `remoteAnswer`.
  public mutating func receive(_ text: RemoteText, server: String, now: MediaInstant) {
    let origin = SignalOrigin.remote(server: server, number: text.number)
    let message = ReceivedMessage(from: text.from, message: text.message, messageID: text.messageID)
    if let error = hold(message, to: text.to, origin: origin, timeToLive: text.timeToLive, now: now) {
      answer(origin, error, expiryTime: now + text.timeToLive, now: now)
    } else {
      append(.received(message: text.message, from: text.from, to: text.to))
      limitHoldings(now: now)
    }
  }
}
