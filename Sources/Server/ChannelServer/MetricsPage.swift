import MediaBase
import WebSocketIO

/// `GET /metrics`: how many of what there are, for whoever runs the server.
struct MetricsPage: Sendable {
  /// What has to be shown, if there is something.
  private let token: String?
  /// Without it: whether a client on this machine is who it seems to be. Behind a proxy everybody seems to be here.
  private let trustsLoopback: Bool

  private static let path = "/metrics"

  init(_ configuration: ChannelServerConfiguration) {
    token = configuration.metricsToken
    trustsLoopback =
      configuration.development || configuration.tls != nil && !configuration.isBehindTLSProxy
  }

  func attach(to http: HTTPServer, _ report: @escaping @Sendable () -> MetricsReport) {
    http.handle(Self.path, maximumBodyByteCount: 0) { exchange in
      let request = exchange.request
      guard request.path == Self.path else { return exchange.respond(.text(404, "There is nothing here.")) }
      guard request.method == "GET" || request.method == "HEAD" else {
        return exchange.respond(.text(405, "Only GET is understood here."))
      }
      guard isAllowed(request) else {
        guard token != nil else {
          return exchange.respond(
            .text(403, "Metrics can be read with the server's metrics token, which it has not got."))
        }
        var refusal = HTTPResponse.text(401, "Show the server's metrics token: Authorization: Bearer TOKEN.")
        refusal.headers = [(name: "WWW-Authenticate", value: "Bearer")]
        return exchange.respond(refusal)
      }
      exchange.respond(
        HTTPResponse(
          contentType: "text/plain; version=0.0.4; charset=utf-8", body: report().text,
          headers: [(name: "Cache-Control", value: "no-store")]))
    }
  }

  private func isAllowed(_ request: HTTPRequest) -> Bool {
    guard let token else {
      return trustsLoopback && TransportAddress(host: request.remoteHost, port: 0)?.isLoopback == true
    }
    let shown = Array((request.header("authorization") ?? "").utf8)
    let wanted = Array("Bearer \(token)".utf8)
    // As long for every token of the right length.
    return shown.count == wanted.count && zip(shown, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
