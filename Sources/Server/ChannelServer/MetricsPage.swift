import WebSocketIO

/// `GET /metrics`: how many of what there are, for whoever runs the server.
struct MetricsPage: Sendable {
  private let gate: OperatorGate

  private static let path = "/metrics"

  init(_ configuration: ChannelServerConfiguration) {
    gate = OperatorGate("/metrics", token: configuration.metricsToken, configuration)
  }

  func attach(to http: HTTPServer, _ report: @escaping @Sendable () -> MetricsReport) {
    http.handle(Self.path, maximumBodyByteCount: 0) { exchange in
      let request = exchange.request
      guard request.path == Self.path else { return exchange.respond(.text(404, "There is nothing here.")) }
      guard request.method == "GET" || request.method == "HEAD" else {
        return exchange.respond(.text(405, "Only GET is understood here."))
      }
      if let refusal = gate.refusal(of: request) { return exchange.respond(refusal) }
      exchange.respond(
        HTTPResponse(
          contentType: "text/plain; version=0.0.4; charset=utf-8", body: report().text,
          headers: [(name: "Cache-Control", value: "no-store")]))
    }
  }
}
