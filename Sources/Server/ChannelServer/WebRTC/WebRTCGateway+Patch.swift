import ControlWire
import WebRTCNegotiation
import WebSocketIO

/// Changes of a session's ICE (RFC 9725 section 4.3).
extension WebRTCGateway {
  /// Candidates of the client are not needed: its checks tell where they come from.
  func patch(_ exchange: HTTPExchange, _ resource: String, _ path: WebRTCPath) {
    guard let session = session(exchange, resource, path),
      mayChange(session, exchange, "application/trickle-ice-sdpfrag")
    else { return }
    let request = exchange.request
    guard let match = request.header("if-match") else {
      return exchange.respond(WebRTCResponse.refusal(428, "Say by If-Match which ICE session is meant."))
    }
    guard session.matches(match) else {
      return exchange.respond(WebRTCResponse.refusal(412, "This is not the present ICE session."))
    }
    let fragment: TrickleICEFragment
    do throws(TrickleICEFragment.ParseError) {
      fragment = try TrickleICEFragment(parsing: request.body)
    } catch {
      return exchange.respond(WebRTCResponse.refusal(400, error.description))
    }
    // A client whose restart was answered but who did not hear it asks again with the same credentials and `*`.
    let hasCredentials = fragment.usernameFragment != nil || fragment.password != nil
    guard fragment.restarts(session.ice) || (match == "*" && hasCredentials) else {
      return exchange.respond(WebRTCResponse.done(204))
    }
    restart(session, fragment, exchange)
  }

  private func restart(_ session: WebRTCSession, _ fragment: TrickleICEFragment, _ exchange: HTTPExchange) {
    let ice = ICEParameters(usernameFragment: fragment.usernameFragment ?? "", password: fragment.password ?? "")
    guard ice.isValid else {
      return exchange.respond(
        WebRTCResponse.refusal(400, "An ICE restart needs both a=ice-ufrag and a=ice-pwd, as RFC 8839 says."))
    }
    let client = session.client
    workers[session.worker].restartICE(ice, of: client) { [weak self, weak http] local in
      http?.post { [weak self] in self?.restarted(client, ice, local, exchange) }
    }
  }

  private func restarted(_ client: UInt64, _ ice: ICEParameters, _ local: ICEParameters?, _ exchange: HTTPExchange) {
    guard let local, let session = sessions[client], var server = session.server else {
      return exchange.respond(WebRTCResponse.refusal(404, "There is no such session."))
    }
    server.serverICE = local
    session.server = server
    session.ice = ice
    exchange.respond(WebRTCResponse.restarted(session.offer.restartFragment(server), entityTag: server.entityTag))
  }
}
