extension RTCEngine {
  /// Where the local camera is shown, mirrored by nothing; `nil` takes the canvas away. Any time; survives leaving.
  ///
  /// - Returns: 0; -2 (the file's name ends neither in .png nor .y4m), -7.
  @discardableResult public func setupLocalVideo(_ canvas: VideoCanvas?) -> Int { Self.notInitialized }

  /// Where `canvas.uid` of the default connection is shown. Any time, also before the user or the connection is there; the
  /// canvas is let go when the user leaves the channel.
  ///
  /// - Returns: 0; -2 (uid 0, or the file's name ends neither in .png nor .y4m), -7.
  @discardableResult public func setupRemoteVideo(_ canvas: VideoCanvas) -> Int { Self.notInitialized }

  /// Where `canvas.uid` of one connection is shown.
  @discardableResult
  public func setupRemoteVideoEx(_ canvas: VideoCanvas, connection: RTCConnection) -> Int { Self.notInitialized }
}
