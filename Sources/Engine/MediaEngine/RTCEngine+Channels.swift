import ControlWire
import EngineCore

extension RTCEngine {
  /// Called once when a channel has been joined: channel, the local user's number, milliseconds since the call.
  public typealias JoinSuccess = @Sendable (_ channelID: String, _ uid: UInt, _ elapsed: Int) -> Void

  /// Joins a channel as the engine's default connection.
  ///
  /// - Parameters:
  ///   - token: proof of the right to join; `nil` in development mode.
  ///   - channelID: 1 to 63 bytes of letters, digits and the allowed punctuation.
  ///   - uid: the local user's number, up to 2^32 - 1; 0 lets the server choose.
  ///   - options: what to publish and receive; unset fields take their defaults.
  ///   - joinSuccess: called instead of the delegates' `didJoinChannel`.
  /// - Returns: 0; -2 or -121 (uid), -102 (channel name), -17 (the default connection is in use), -7.
  @discardableResult
  public func joinChannel(
    token: String?, channelID: String, uid: UInt, options: ChannelMediaOptions, joinSuccess: JoinSuccess? = nil
  ) -> Int { Self.notInitialized }

  /// Joins a channel as one more connection, with a delegate of its own; without one the engine's delegates are told.
  ///
  /// - Returns: 0; -121 (uid 0 or too large), -102 or -5 (channel name), -17 (this pair is in use), -7.
  @discardableResult
  public func joinChannelEx(
    token: String?, connection: RTCConnection, delegate: (any RTCEngineDelegate)?, options: ChannelMediaOptions,
    joinSuccess: JoinSuccess? = nil
  ) -> Int { Self.notInitialized }

  /// Leaves the default connection and all others. `didLeaveChannel` follows for each.
  ///
  /// - Returns: 0; -18 (not in any channel), -7.
  @discardableResult public func leaveChannel() -> Int { Self.notInitialized }

  /// Leaves one connection.
  ///
  /// - Returns: 0; -18 (no such connection), -7.
  @discardableResult public func leaveChannelEx(_ connection: RTCConnection) -> Int { Self.notInitialized }

  /// Changes what the default connection publishes and receives, its role and its token; unset fields stay as they are.
  ///
  /// - Returns: 0; -8 (not in a channel), -7.
  @discardableResult public func updateChannelMediaOptions(_ options: ChannelMediaOptions) -> Int {
    Self.notInitialized
  }

  /// Changes what a connection publishes and receives, its role and its token; unset fields stay as they are.
  ///
  /// - Returns: 0; -8 (not in a channel), -7.
  @discardableResult
  public func updateChannelMediaOptionsEx(_ options: ChannelMediaOptions, connection: RTCConnection) -> Int {
    Self.notInitialized
  }

  /// Sets the role on the default connection, now or for the next join.
  @discardableResult public func setClientRole(_ role: ClientRole) -> Int { Self.notInitialized }

  /// Replaces the default connection's token.
  ///
  /// - Returns: 0; -2 (empty), -8 (not in a channel), -7.
  @discardableResult public func renewToken(_ token: String) -> Int { Self.notInitialized }

  /// One more delegate for a connection that exists.
  ///
  /// - Returns: 0; -2 (no such connection), -7.
  @discardableResult
  public func addDelegateEx(_ delegate: any RTCEngineDelegate, connection: RTCConnection) -> Int { Self.notInitialized }

  /// Takes a connection's delegate away.
  @discardableResult
  public func removeDelegateEx(_ delegate: any RTCEngineDelegate, connection: RTCConnection) -> Int {
    Self.notInitialized
  }
}
