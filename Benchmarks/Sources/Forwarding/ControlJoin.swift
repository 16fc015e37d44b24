import ControlWire
import LinuxIO
import MediaBase
import Synchronization
import WebSocketIO

/// A user of the control protocol: joins one channel, with keys from the answer instead of DTLS.
final class ControlJoin: Sendable {
  private let socket: WebSocketClient

  /// Joins `channel` for `client`; returns with the answer, or throws after 5 s.
  init(_ client: MediaClient, channel: String, publish: TrackFlags, port: UInt16) throws {
    let joined = Mutex<JoinedResponse?>(nil)
    let request = ChannelRequest.join(
      JoinRequest(
        channel: channel, uid: 0, role: client.publishes ? .broadcaster : .audience, publish: publish,
        subscribe: Subscription(everyone: client.publishes ? .none : TrackFlags(audio: true, video: true)),
        ice: ICEParameters(
          usernameFragment: client.localCredentials.usernameFragment, password: client.localCredentials.password)))
    let text = try ControlMessageCoding.encode(request)
    let answer = Answer(joined: joined, opened: Mutex(false))
    socket = WebSocketClient(url: "ws://127.0.0.1:\(port)\(ControlProtocol.channelPath)") { answer.take($0) }
    guard Self.wait({ answer.opened.withLock { $0 } }) else { throw HTTPPost.Failure(description: "no WebSocket") }
    socket.send(text: text)
    guard Self.wait({ answer.joined.withLock { $0 != nil } }), let response = answer.joined.withLock({ $0 }),
      let path = MediaPath(joined: response)
    else { throw HTTPPost.Failure(description: "join was not answered") }
    self.path = path
    ssrcs = response.ssrcs
  }

  let path: MediaPath
  /// What to send with.
  let ssrcs: TrackSSRCs

  private final class Answer: Sendable {
    let joined: Mutex<JoinedResponse?>
    let opened: Mutex<Bool>

    init(joined: consuming Mutex<JoinedResponse?>, opened: consuming Mutex<Bool>) {
      self.joined = joined
      self.opened = opened
    }

    func take(_ event: WebSocketEvent) {
      switch event {
      case .opened: opened.withLock { $0 = true }
      case .text(let text):
        if case .joined(let response)? = try? ControlMessageCoding.decode(ChannelResponse.self, from: text) {
          joined.withLock { $0 = response }
        }
      default: break
      }
    }
  }

  private static func wait(_ condition: () -> Bool) -> Bool {
    let limit = MonotonicClock.now() + .seconds(Int64(5))
    while !condition() {
      guard MonotonicClock.now() < limit else { return false }
      MonotonicClock.sleep(for: .microseconds(200))
    }
    return true
  }
}
