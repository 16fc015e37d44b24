import ControlWire
import WebSocketIO

/// What a player is told while it watches (the server-sent events extension of draft-ietf-wish-whep): `active` when the
/// user it watches is there or publishes something else, `inactive` when that user has gone, `tokenWillExpire` when the
/// player's own token ends soon.
///
/// Each answer has what has happened since the last one and ends; the client asks again by itself, as event streams do. So
/// no connection lasts longer than a request may.
extension WebRTCGateway {
  /// Answers a request to the address of a session's events.
  func events(_ exchange: HTTPExchange, _ resource: String, _ path: WebRTCPath) {
    guard let session = session(exchange, resource, path) else { return }
    switch exchange.request.method {
    case "POST": begin(exchange, session)
    // Whoever knows the address has been told it: event streams of browsers send no tokens.
    case "GET": wait(exchange, session)
    case "DELETE": exchange.respond(WebRTCResponse.done(200))
    default:
      let allowed = "OPTIONS, POST, GET, DELETE"
      exchange.respond(WebRTCResponse.refusal(405, "Here \(allowed) are understood.", [("Allow", allowed)]))
    }
  }

  /// A client says which kinds of events it wants; it gets those there are.
  private func begin(_ exchange: HTTPExchange, _ session: WebRTCSession) {
    guard mayChange(session, exchange, "application/json") else { return }
    guard (try? ControlMessageCoding.decode([String].self, from: exchange.request.body)) != nil else {
      return exchange.respond(WebRTCResponse.refusal(400, "Send an array of the kinds of events, as [\"active\"]."))
    }
    exchange.respond(WebRTCResponse.eventsCreated(location: session.eventLocation))
  }

  private func wait(_ exchange: HTTPExchange, _ session: WebRTCSession) {
    let client = session.client
    let last = exchange.request.header("last-event-id").flatMap { UInt64($0) }
    let previous = session.events.wait(exchange, after: last)
    previous?.respond(WebRTCResponse.events(""))
    tell(client)
    // Telling may have answered it already.
    guard session.events.waiting != nil else { return }
    let count = session.events.waitCount
    http?.post(afterMilliseconds: WebRTCSessionEvents.longestWait) { [weak self] in
      guard let self, self.sessions[client]?.events.waitCount == count else { return }
      self.sessions[client]?.events.takeWaiting()?.respond(WebRTCResponse.events(""))
    }
  }

  /// Takes note of what a session's client may want to know.
  func note(_ response: ChannelResponse, for client: UInt64) {
    guard sessions[client]?.path.kind == .whep else { return }
    switch response {
    case .joined(let joined): for user in joined.users { noteActive(user.uid, user.published, for: client) }
    case .userJoined(let user): noteActive(user.uid, user.published, for: client)
    case .userUpdated(let user): noteActive(user.uid, user.published, for: client)
    case .userLeft(let user):
      sessions[client]?.events.add("inactive", "{\"uid\":\(user.uid),\"reason\":\(user.reason.rawValue)}")
    case .tokenWillExpire(let end):
      sessions[client]?.events.add(
        WebRTCSessionEvents.tokenWillExpire, "{\"remainingMilliseconds\":\(end.remainingMilliseconds)}")
    default: return
    }
    tell(client)
  }

  private func noteActive(_ uid: UInt, _ published: TrackFlags, for client: UInt64) {
    sessions[client]?.events.add(
      "active", "{\"uid\":\(uid),\"audio\":\(published.audio),\"video\":\(published.video)}")
  }

  /// Answers the request that waits, if there is something to answer.
  private func tell(_ client: UInt64) {
    guard let text = sessions[client]?.events.text else { return }
    sessions[client]?.events.takeWaiting()?.respond(WebRTCResponse.events(text))
  }
}
