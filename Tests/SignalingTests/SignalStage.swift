import ChannelServer
import MediaBase
import Synchronization
import TestSupport

@testable import Signaling

/// The ways in which texts travel; all promise the same.
enum SignalWay: CaseIterable, Sendable {
  case hub, server
  /// The example of docs/signalling.md.
  case chat
}

/// A hub, or a server on loopback, and users of it.
final class SignalStage: Sendable {
  let hub: InProcessSignalHub?
  let server: ChannelServer?
  let chat: ChatService?

  init(_ way: SignalWay) throws {
    hub = way == .hub ? InProcessSignalHub() : nil
    chat = way == .chat ? ChatService() : nil
    server = way == .server ? try startServer() : nil
  }

  func makeClient() -> any SignalClient {
    if let hub { return hub.makeClient() }
    if let chat { return ChatSignalClient(service: chat) }
    return patientClient(server?.url ?? "")
  }

  /// A user who is logged in.
  func user(_ uid: UInt) async -> SignalUser {
    let user = SignalUser(makeClient(), keeping: self)
    _ = await user.login(uid)
    return user
  }
}

/// A client for which no answer is too late: a busy machine may keep a test waiting.
func patientClient(_ url: String) -> WebSocketSignalClient {
  WebSocketSignalClient(url: url, timing: timing(600_000))
}

func timing(_ milliseconds: Int64) -> SignalClientCore.Timing {
  SignalClientCore.Timing(answer: .milliseconds(milliseconds), timeToLive: .milliseconds(milliseconds))
}

func startServer(port: UInt16 = 0) throws -> ChannelServer {
  let server = ChannelServer(
    configuration: ChannelServerConfiguration(httpPort: port, udpPort: 0, development: true))
  try server.start()
  return server
}

extension ChannelServer {
  var url: String { "ws://127.0.0.1:\(boundHTTPPort)" }
}

/// A client whose events are written down.
final class SignalUser: Sendable {
  let client: any SignalClient
  private let log: Record<SignalEvent>
  /// What the client needs at the other end: optimized code lets go of it after its last use.
  private let otherEnd: (any AnyObject & Sendable)?

  init(_ client: any SignalClient, keeping otherEnd: (any AnyObject & Sendable)? = nil) {
    let log = Record<SignalEvent>()
    self.client = client
    self.otherEnd = otherEnd
    self.log = log
    client.addHandler { log.note($0) }
  }

  var events: [SignalEvent] { log.all }

  /// Texts that have come, with their senders.
  var texts: [(from: UInt, text: String)] {
    events.compactMap { if case .message(let text, let from) = $0 { (from, text) } else { nil } }
  }

  /// Changes of the connection so far, without their causes.
  var states: [SignalConnectionState] {
    events.compactMap { if case .connectionStateChanged(let state, _) = $0 { state } else { nil } }
  }

  /// Why the connection is in its present state.
  var cause: SignalError? {
    for case .connectionStateChanged(_, let cause) in events.reversed() { return cause }
    return nil
  }

  func login(_ uid: UInt) async -> SignalError? {
    await withCheckedContinuation { done in client.login(uid: uid, token: "") { done.resume(returning: $0) } }
  }

  func send(_ text: String, to uid: UInt) async -> SignalError? {
    await withCheckedContinuation { done in client.send(message: text, to: uid) { done.resume(returning: $0) } }
  }

  func isIn(_ state: SignalConnectionState) async -> Bool {
    await eventually { self.client.connectionState == state && self.states.last == state }
  }
}

/// What has happened, in order.
final class Record<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }
  var count: Int { entries.withLock { $0.count } }

  func note(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
