import MediaBase
import WebSocketIO

/// Lets whoever runs the server at a page that is nobody else's business.
struct OperatorGate: Sendable {
  /// What the page is called in answers.
  let name: String
  /// What has to be shown, if there is something.
  let token: String?
  /// Without it: whether a client on this machine is who it seems to be. Behind a proxy everybody seems to be here.
  private let trustsLoopback: Bool

  init(_ name: String, token: String?, _ configuration: ChannelServerConfiguration) {
    self.name = name
    self.token = token
    trustsLoopback = configuration.development || configuration.tls != nil && !configuration.isBehindTLSProxy
  }

  /// The answer to a request that may not be granted.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    if let token {
      guard !isShown(token, in: request) else { return nil }
      var refusal = HTTPResponse.text(401, "Show the server's token for \(name): Authorization: Bearer TOKEN.")
      refusal.headers = [(name: "WWW-Authenticate", value: "Bearer")]
      return refusal
    }
    // A page in this machine's browser may come from anywhere: its own name can be made to lead here, but stays in `Host`.
    guard
      !trustsLoopback || !Self.isLoopback(host: request.header("host") ?? "")
        || TransportAddress(host: request.remoteHost, port: 0)?.isLoopback != true
    else { return nil }
    return .text(
      403,
      "The server has no token for \(name); without one, only programs on its machine may read it, by "
        + "a name of loopback such as 127.0.0.1.")
  }

  /// Whether a `Host` names this machine in itself: `localhost` or an address of loopback, with any port.
  static func isLoopback(host field: String) -> Bool {
    var host = Substring(field)
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      let rest = host[host.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" && isPort(rest.dropFirst()) else { return false }
      host = host[host.index(after: host.startIndex)..<end]
      return host.contains(":") && TransportAddress(host: String(host), port: 0)?.isLoopback == true
    }
    if let colon = host.firstIndex(of: ":") {
      guard isPort(host[host.index(after: colon)...]) else { return false }
      host = host[..<colon]
    }
    return host.lowercased() == "localhost" || TransportAddress(host: String(host), port: 0)?.isLoopback == true
  }

  private static func isPort(_ text: Substring) -> Bool { UInt16(text) != nil && text.first != "+" }

  private func isShown(_ token: String, in request: HTTPRequest) -> Bool {
    let shown = Array((request.header("authorization") ?? "").utf8)
    let wanted = Array("Bearer \(token)".utf8)
    // As long for every token of the right length.
    return shown.count == wanted.count && zip(shown, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
