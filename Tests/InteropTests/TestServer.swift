import ChannelServer

/// A server for one test.
final class TestServer: Sendable {
  private let server: ChannelServer

  /// - Parameter port: 0 lets the system choose.
  init(port: UInt16 = 0) throws {
    server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: port, udpPort: 0, development: true))
    try server.start()
  }

  deinit { server.stop() }

  var port: UInt16 { server.boundHTTPPort }
  var udpPort: UInt16 { server.boundUDPPort }
  var address: String { "127.0.0.1:\(port)" }

  func stop() { server.stop() }
}
