import ChannelServer

/// A server for one test.
final class TestServer: Sendable {
  private let server: ChannelServer

  /// - Parameters:
  ///   - port: 0 lets the system choose.
  ///   - tokens: what tokens have to be for; nil if none are needed.
  ///   - isBehindProxy: whether where requests come from says nothing about where their senders are.
  init(port: UInt16 = 0, tokens: TokenPolicy? = nil, isBehindProxy: Bool = false) throws {
    var configuration = ChannelServerConfiguration(httpPort: port, udpPort: 0, development: tokens == nil)
    configuration.tokens = tokens
    configuration.isBehindTLSProxy = isBehindProxy
    server = ChannelServer(configuration: configuration)
    try server.start()
  }

  deinit { server.stop() }

  var port: UInt16 { server.boundHTTPPort }
  var udpPort: UInt16 { server.boundUDPPort }
  var address: String { "127.0.0.1:\(port)" }

  func stop() { server.stop() }
}
