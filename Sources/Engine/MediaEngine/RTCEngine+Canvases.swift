import EngineCore
import MediaBase

extension RTCEngine {
  /// Where the local camera is shown, not mirrored; `nil` takes the canvas away. Any time; survives leaving.
  ///
  /// - Returns: 0; -2 (the file's name ends neither in .png nor .y4m), -7.
  @discardableResult public func setupLocalVideo(_ canvas: VideoCanvas?) -> Int {
    setup(canvas?.target ?? .none) { _, parts, renderer in
      parts.videoSend.setRenderer(renderer)
      return .ok
    }
  }

  /// Where `canvas.uid` of the default connection is shown. Any time, also before the user or the connection is there; the
  /// canvas is let go when the user or this side leaves the channel.
  ///
  /// - Returns: 0; -121 (uid 0), -2 (the file's name ends neither in .png nor .y4m), -7.
  @discardableResult public func setupRemoteVideo(_ canvas: VideoCanvas) -> Int { setupRemote(canvas, nil) }

  /// Where `canvas.uid` of one connection is shown.
  @discardableResult
  public func setupRemoteVideoEx(_ canvas: VideoCanvas, connection: RTCConnection) -> Int {
    setupRemote(canvas, connection)
  }

  private func setupRemote(_ canvas: VideoCanvas, _ connection: RTCConnection?) -> Int {
    guard canvas.uid != 0 else { return -EngineErrorCode.invalidUserID.rawValue }
    return setup(canvas.target) { intent, parts, renderer in
      var key = CanvasKey(connection: connection, uid: canvas.uid)
      if let connection, let index = intent.index(of: connection) {
        key = CanvasKey(handle: intent.connections[index].handle, uid: canvas.uid)
      }
      parts.videoReceive.post(.bind(key, renderer))
      return .ok
    }
  }

  /// Makes the renderer outside the engine's lock, since a window takes its time.
  private func setup(
    _ target: VideoCanvas.Target,
    _ body: (inout EngineIntent, EngineRuntime.Parts, (any VideoRenderer)?) -> EngineErrorCode
  ) -> Int {
    do throws(EngineErrorCode) {
      let renderer = try CanvasRenderers.make(target)
      let code = runtime.change { intent, parts in body(&intent, parts, renderer) }
      if code != 0 { renderer?.finish() }
      return code
    } catch {
      return -error.rawValue
    }
  }
}
