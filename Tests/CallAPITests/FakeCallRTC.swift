import MediaEngine
import Synchronization

@testable import CallAPI

/// In place of an engine: writes down what is wanted of it; what happens in a channel is said by the test.
final class FakeCallRTC: CallRTC {
  private struct Join {
    var room: String
    var onEvent: @Sendable (CallStateMachine.ChannelEvent) -> Void
    var onTokenExpiry: @Sendable () -> Void
  }

  private struct State {
    var log: [String] = []
    var joins: [Join] = []
    var tokens: [String] = []
    /// Of rooms that have been joined or are to be.
    var encryptions: [String: CallMediaEncryption] = [:]
    var code = 0
  }

  private let state = Mutex(State())

  /// What has been wanted.
  var log: [String] { state.withLock { $0.log } }
  /// The tokens of joins.
  var tokens: [String] { state.withLock { $0.tokens } }
  var joinCount: Int { state.withLock { $0.joins.count } }

  /// What joining returns from now on.
  func setCode(_ code: Int) { state.withLock { $0.code = code } }

  /// Something happens in the channel of a join, the newest by default.
  func happens(_ event: CallStateMachine.ChannelEvent, join index: Int? = nil) {
    let join = state.withLock { state in index.map { state.joins[$0] } ?? state.joins.last }
    join?.onEvent(event)
  }

  func tokenExpires() { state.withLock { $0.joins.last }?.onTokenExpiry() }

  func isElsewhere(_ room: String, uid: UInt) -> Bool { false }

  func join(
    _ room: String, token: String, uid: UInt, peer: UInt, isVideo: Bool, publishes: Bool, givesWay: Bool,
    localView: VideoCanvas.Target?,
    onEvent: @escaping @Sendable (CallStateMachine.ChannelEvent) -> Void, onTokenExpiry: @escaping @Sendable () -> Void
  ) -> Int {
    state.withLock { state in
      state.log.append("join \(room)")
      state.tokens.append(token)
      state.joins.append(Join(room: room, onEvent: onEvent, onTokenExpiry: onTokenExpiry))
      return state.code
    }
  }

  func encrypt(_ room: String, uid: UInt, _ encryption: CallMediaEncryption) {
    note("encrypt \(room)")
    state.withLock { $0.encryptions[room] = encryption }
  }

  func encryption(of room: String) -> CallMediaEncryption { state.withLock { $0.encryptions[room] ?? .none } }

  func publish(_ room: String, uid: UInt, isVideo: Bool) { note("publish \(room)") }

  func reveal(_ room: String, uid: UInt, peer: UInt, remoteView: VideoCanvas.Target?) { note("reveal \(room) \(peer)") }

  func renewToken(_ room: String, uid: UInt, token: String) { note("token \(room) \(token)") }

  func leave(_ room: String, uid: UInt) {
    note("leave \(room)")
    state.withLock { $0.encryptions[room] = nil }
    // As an engine does: later, on a thread of its own.
    state.withLock { state in state.joins.last { $0.room == room } }?.onEvent(.left)
  }

  private func note(_ entry: String) { state.withLock { $0.log.append(entry) } }
}
