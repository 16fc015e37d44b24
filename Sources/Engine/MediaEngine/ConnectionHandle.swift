import EngineCore
import LinuxIO
import MediaBase
import Synchronization

/// What all threads share about one connection: who it is and whom to tell.
final class ConnectionHandle: Sendable {
  /// Unique in the engine; a connection that is left and joined again is another one.
  let id: Int
  let isDefault: Bool
  /// The name it was joined by.
  let requested: RTCConnection
  private let startTime = MonotonicClock.now()
  private let state: Mutex<State>

  private struct State {
    var localUID: UInt
    var connectionState = ConnectionState.connecting
    var delegates = DelegateList()
    let usesEngineDelegates: Bool
    var joinSuccess: RTCEngine.JoinSuccess?
  }

  init(
    id: Int, isDefault: Bool, requested: RTCConnection, delegate: (any RTCEngineDelegate)?,
    joinSuccess: RTCEngine.JoinSuccess?
  ) {
    self.id = id
    self.isDefault = isDefault
    self.requested = requested
    var delegates = DelegateList()
    if let delegate { delegates.add(delegate) }
    state = Mutex(
      State(
        localUID: requested.localUID, delegates: delegates, usesEngineDelegates: delegate == nil,
        joinSuccess: joinSuccess))
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

  func setLocalUID(_ uid: UInt) { state.withLock { $0.localUID = uid } }

  func addDelegate(_ delegate: any RTCEngineDelegate) { state.withLock { $0.delegates.add(delegate) } }

  func removeDelegate(_ delegate: any RTCEngineDelegate) { state.withLock { $0.delegates.remove(delegate) } }

  /// The closure that replaces `didJoinChannel`, once.
  func takeJoinSuccess() -> RTCEngine.JoinSuccess? {
    state.withLock { state in
      defer { state.joinSuccess = nil }
      return state.joinSuccess
    }
  }

  /// The connection's own delegates, and whether the engine's are to be told too.
  var audience: (own: [any RTCEngineDelegate], engineToo: Bool) {
    state.withLock { ($0.delegates.all, $0.usesEngineDelegates) }
  }
}
