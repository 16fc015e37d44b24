import ChannelServer

/// A server for one test.
final class TestServer: Sendable {
  private let server: ChannelServer

  /// - Parameters:
  ///   - port: 0 lets the system choose.
  ///   - tokens: what tokens have to be for; nil if none are needed.
  init(port: UInt16 = 0, tokens: TokenPolicy? = nil) throws {
    var configuration = ChannelServerConfiguration(httpPort: port, udpPort: 0, development: tokens == nil)
    configuration.tokens = tokens
    server = ChannelServer(configuration: configuration)
    try server.start()
  }

  deinit { server.stop() }

  var port: UInt16 { server.boundHTTPPort }
  var udpPort: UInt16 { server.boundUDPPort }
  var address: String { "127.0.0.1:\(port)" }

  func stop() { server.stop() }
}
