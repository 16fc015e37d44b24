import EngineCore
import Synchronization

extension RTCEngine {
  /// Joins a channel as the default connection and waits until that has come about.
  ///
  /// - Returns: the connection with its uid, and how long it took.
  /// - Throws: the positive code of what `joinChannel` would have returned; the cause, once the connection has failed for
  ///   good; `aborted` if it is left or the engine destroyed meanwhile; `canceled` if the task is, in which case the
  ///   connection is left.
  public func join(
    token: String? = nil, channelID: String, uid: UInt, options: ChannelMediaOptions
  ) async throws(EngineErrorCode) -> RTCJoinResult {
    try await waitForJoin { joinEnd in
      joinDefault(token: token, channelID: channelID, uid: uid, options: options, joinSuccess: nil, joinEnd: joinEnd)
    }
  }

  /// Joins a channel as one more connection and waits until that has come about.
  ///
  /// - Returns: the connection, and how long it took.
  /// - Throws: as `join(token:channelID:uid:options:)`.
  public func join(
    token: String? = nil, connection: RTCConnection, delegate: (any RTCEngineDelegate)? = nil,
    options: ChannelMediaOptions
  ) async throws(EngineErrorCode) -> RTCJoinResult {
    try await waitForJoin { joinEnd in
      joinExtra(
        token: token, connection: connection, delegate: delegate, options: options, joinSuccess: nil, joinEnd: joinEnd)
    }
  }

  /// Leaves one connection and waits until that has come about.
  ///
  /// - Returns: the connection's totals.
  /// - Throws: `leaveRejected` (no such connection), `notInitialized` (destroyed, also meanwhile).
  @discardableResult public func leave(_ connection: RTCConnection) async throws(EngineErrorCode) -> RTCStatistics {
    let answer = OneAnswer<Result<RTCStatistics, EngineErrorCode>>()
    let key = runtime.addPending { answer.give(.failure(.notInitialized)) }
    let code = leaveChannelEx(connection) { answer.give(.success($0)) }
    if code != 0 { answer.give(.failure(EngineErrorCode(rawValue: -code) ?? .failed)) }
    let result = await answer.wait()
    runtime.removePending(key)
    return try result.get()
  }

  private func waitForJoin(
    _ start: (@escaping ConnectionHandle.JoinEnd) -> (code: Int, handle: ConnectionHandle?)
  ) async throws(EngineErrorCode) -> RTCJoinResult {
    let answer = OneAnswer<Result<RTCJoinResult, EngineErrorCode>>()
    let key = runtime.addPending { answer.give(.failure(.aborted)) }
    let (code, handle) = start { answer.give($0) }
    if code != 0 { answer.give(.failure(EngineErrorCode(rawValue: -code) ?? .failed)) }
    let result = await withTaskCancellationHandler {
      await answer.wait()
    } onCancel: {
      // Whoever gives up waiting must not be left in the channel.
      if answer.give(.failure(.canceled)), let handle { leave(handle) }
    }
    runtime.removePending(key)
    return try result.get()
  }
}

/// An answer that comes once, to one who waits.
private final class OneAnswer<Answer: Sendable>: Sendable {
  private struct State {
    var answer: Answer?
    var isGiven = false
    var continuation: CheckedContinuation<Answer, Never>?
  }

  private let state = Mutex(State())

  /// Gives the answer; false if there has been one before.
  @discardableResult func give(_ answer: Answer) -> Bool {
    let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Answer, Never>?) in
      guard !state.isGiven else { return (false, nil) }
      state.isGiven = true
      if state.continuation == nil { state.answer = answer }
      return (true, state.continuation.take())
    }
    continuation?.resume(returning: answer)
    return isFirst
  }

  func wait() async -> Answer {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Answer? in
        if let answer = state.answer { return answer }
        state.continuation = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
