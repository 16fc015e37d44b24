import ControlWire
import Synchronization
import WebSocketIO

/// A signalling server that answers as a test tells it to.
final class FakeSignalServer: Sendable {
  /// What is sent back to a request; the connection ends after `nil`.
  typealias Script = @Sendable (SignalRequest) -> [String?]

  private let http: HTTPServer
  private let requests = Mutex<[SignalRequest]>([])

  init(_ script: @escaping Script) throws {
    http = try HTTPServer(host: "127.0.0.1", port: 0)
    http.webSocket(ControlProtocol.signalPath) { [weak self] connection in
      WebSocketServerConnection.Handlers(
        onText: { [weak self] text in
          guard let request = try? ControlMessageCoding.decode(SignalRequest.self, from: text) else { return }
          self?.requests.withLock { $0.append(request) }
          for answer in script(request) {
            if let answer { connection.send(text: answer) } else { connection.close() }
          }
        }, onClosed: {})
    }
  }

  var url: String { "ws://127.0.0.1:\(http.boundPort)" }
  var received: [SignalRequest] { requests.withLock { $0 } }

  /// A server that lets everybody in and then answers texts by `script`.
  static func welcoming(_ script: @escaping @Sendable (SendRequest) -> [String?]) throws -> FakeSignalServer {
    try FakeSignalServer { request in
      switch request {
      case .login(let login): [#"{"type":"loggedIn","uid":\#(login.uid)}"#]
      case .send(let send): script(send)
      case .logout: [nil]
      case .received, .report, .renewToken: []
      }
    }
  }
}
