import ControlWire
import LinuxIO
import MediaBase
import Synchronization
import WebSocketIO

/// A control connection whose messages can be waited for.
final class ControlPeer: Sendable {
  private let received: Log
  private let socket: WebSocketClient

  final class Log: Sendable {
    let entries = Mutex<[String]>([])
  }

  init(_ url: String, trustedCertificates: String? = nil) {
    let log = Log()
    received = log
    socket = WebSocketClient(url: url, trustedCertificates: trustedCertificates) { event in
      switch event {
      case .opened: log.entries.withLock { $0.append("opened") }
      case .text(let text): log.entries.withLock { $0.append(text) }
      case .closed(let code, _): log.entries.withLock { $0.append("closed \(code)") }
      case .addressLost: log.entries.withLock { $0.append("address lost") }
      case .failed(let error): log.entries.withLock { $0.append("failed \(error)") }
      }
    }
    _ = has { $0 == "opened" }
  }

  func send(_ text: String) { socket.send(text: text) }
  func send(_ request: ChannelRequest) { send((try? ControlMessageCoding.encode(request)) ?? "") }
  func send(_ request: SignalRequest) { send((try? ControlMessageCoding.encode(request)) ?? "") }
  func close() { socket.close() }
  var log: [String] { received.entries.withLock { $0 } }

  func has(_ condition: (String) -> Bool) -> Bool {
    for _ in 0..<2_000 {
      if log.contains(where: condition) { return true }
      MonotonicClock.sleep(for: .milliseconds(5))
    }
    return false
  }

  func gets(_ isMatch: (ChannelResponse) -> Bool) -> Bool {
    has { (try? ControlMessageCoding.decode(ChannelResponse.self, from: $0)).map(isMatch) ?? false }
  }

  func getsSignal(_ isMatch: (SignalResponse) -> Bool) -> Bool {
    has { (try? ControlMessageCoding.decode(SignalResponse.self, from: $0)).map(isMatch) ?? false }
  }

  func getsError(_ code: ControlErrorCode) -> Bool {
    gets { if case .error(let error) = $0 { error.code == code } else { false } }
  }

  var isJoined: Bool { gets { if case .joined = $0 { true } else { false } } }
}
