import EngineCore
import LinuxIO
import MediaBase
import Synchronization

/// What all threads share about one connection: who it is and whom to tell.
final class ConnectionHandle: Sendable {
  typealias JoinEnd = @Sendable (Result<RTCJoinResult, EngineErrorCode>) -> Void

  /// Unique in the engine; a connection that is left and joined again is another one.
  let id: Int
  let isDefault: Bool
  /// The name it was joined by.
  let requested: RTCConnection
  /// Whether the application has made itself audience before joining, which is then reported as a change of role.
  let announcesAudience: Bool
  /// Ends the connection for the application's own join of the same channel and uid; `nil` if that one has to fail.
  let giveWay: (@Sendable () -> Void)?
  let tracer: RenderingTracer
  private let startTime = MonotonicClock.now()
  private let state: Mutex<State>

  private struct State {
    var localUID: UInt
    var connectionState = ConnectionState.connecting
    var maySendData = true
    var delegates = DelegateList()
    let usesEngineDelegates: Bool
    var joinSuccess: RTCEngine.JoinSuccess?
    var joinEnd: JoinEnd?
    var leaveCompletion: RTCEngine.LeaveCompletion?
  }

  init(
    id: Int, isDefault: Bool, requested: RTCConnection, delegate: (any RTCEngineDelegate)?,
    joinSuccess: RTCEngine.JoinSuccess?, joinEnd: JoinEnd? = nil, announcesAudience: Bool = false,
    giveWay: (@Sendable () -> Void)? = nil
  ) {
    self.id = id
    self.isDefault = isDefault
    self.requested = requested
    self.announcesAudience = announcesAudience
    self.giveWay = giveWay
    tracer = RenderingTracer(join: startTime)
    var delegates = DelegateList()
    if let delegate { _ = delegates.add(delegate) }
    state = Mutex(
      State(
        localUID: requested.localUID, delegates: delegates, usesEngineDelegates: delegate == nil,
        joinSuccess: joinSuccess, joinEnd: joinEnd))
  }

  /// Milliseconds since the join call.
  var elapsedMilliseconds: Int { (MonotonicClock.now() - startTime).wholeMilliseconds }

  /// The connection as the application is told of it.
  var connection: RTCConnection {
    RTCConnection(channelID: requested.channelID, localUID: state.withLock { $0.localUID })
  }

  var connectionState: ConnectionState {
    get { state.withLock { $0.connectionState } }
    set { state.withLock { $0.connectionState = newValue } }
  }

  /// Whether the token allows messages on data streams, as far as the server has said.
  var maySendData: Bool {
    get { state.withLock { $0.maySendData } }
    set { state.withLock { $0.maySendData = newValue } }
  }

  func setLocalUID(_ uid: UInt) { state.withLock { $0.localUID = uid } }

  /// - Returns: as `DelegateList.add(_:)`.
  func addDelegate(_ delegate: any RTCEngineDelegate) -> [any RTCEngineDelegate] {
    state.withLock { $0.delegates.add(delegate) }
  }

  func removeDelegate(_ delegate: any RTCEngineDelegate) { state.withLock { $0.delegates.remove(delegate) } }

  /// The closure that replaces `didJoinChannel`, once.
  func takeJoinSuccess() -> RTCEngine.JoinSuccess? {
    state.withLock { state in
      defer { state.joinSuccess = nil }
      return state.joinSuccess
    }
  }

  /// Tells whoever waits for the end of joining, once.
  func finishJoin(_ result: Result<RTCJoinResult, EngineErrorCode>) {
    let joinEnd = state.withLock { state in
      defer { state.joinEnd = nil }
      return state.joinEnd
    }
    joinEnd?(result)
  }

  func setLeaveCompletion(_ completion: @escaping RTCEngine.LeaveCompletion) {
    state.withLock { $0.leaveCompletion = completion }
  }

  /// What is to be called when the connection has been left, once.
  func takeLeaveCompletion() -> RTCEngine.LeaveCompletion? {
    state.withLock { state in
      defer { state.leaveCompletion = nil }
      return state.leaveCompletion
    }
  }

  /// The connection's own delegates, and whether the engine's are to be told too.
  var audience: (own: [any RTCEngineDelegate], engineToo: Bool) {
    state.withLock { ($0.delegates.all, $0.usesEngineDelegates) }
  }
}
