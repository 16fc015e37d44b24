import ControlWire
import EngineCore
import MediaBase

extension RTCEngine {
  /// Where the local camera is shown; `nil` takes all its canvases away. Any time; survives leaving.
  ///
  /// - Returns: 0; -2 (the file's name ends neither in .png nor .y4m), -7.
  @discardableResult public func setupLocalVideo(_ canvas: VideoCanvas?) -> Int {
    setup(canvas, isLocal: true) { _, parts, change in parts.videoSend.changeCanvases(change) }
  }

  /// Where `canvas.uid` of the default connection is shown. Any time, also before the user or the connection is there; the
  /// canvas is let go when the user or this side leaves the channel.
  ///
  /// - Returns: 0; -121 (uid 0 or too large), -2 (the file's name ends neither in .png nor .y4m), -7.
  @discardableResult public func setupRemoteVideo(_ canvas: VideoCanvas) -> Int { setupRemote(canvas, nil) }

  /// Where `canvas.uid` of one connection is shown.
  ///
  /// - Returns: as `setupRemoteVideo(_:)`.
  @discardableResult
  public func setupRemoteVideoEx(_ canvas: VideoCanvas, connection: RTCConnection) -> Int {
    setupRemote(canvas, connection)
  }

  private func setupRemote(_ canvas: VideoCanvas, _ connection: RTCConnection?) -> Int {
    guard ControlProtocol.isValidUID(canvas.uid) else { return -EngineErrorCode.invalidUserID.rawValue }
    return setup(canvas, isLocal: false) { intent, parts, change in
      var key = CanvasKey(connection: connection, uid: canvas.uid)
      let index = connection.map { intent.index(of: $0) } ?? intent.defaultIndex
      if let index {
        let handle = intent.connections[index].handle
        key = CanvasKey(handle: handle, uid: canvas.uid)
        handle.tracer.viewSet(canvas.uid)
      }
      parts.videoReceive.post(.bind(key, change))
    }
  }

  /// Makes the renderer outside the engine's lock, since a window takes its time.
  private func setup(
    _ canvas: VideoCanvas?, isLocal: Bool, _ body: (inout EngineIntent, EngineRuntime.Parts, CanvasChange) -> Void
  ) -> Int {
    do throws(EngineErrorCode) {
      let change = try CanvasRenderers.change(for: canvas, isLocal: isLocal)
      let code = runtime.change { intent, parts in
        body(&intent, parts, change)
        return .ok
      }
      if code != 0, case .replace(let binding?) = change { binding.renderer.finish() }
      if code != 0, case .add(let binding) = change { binding.renderer.finish() }
      return code
    } catch {
      return -error.rawValue
    }
  }
}
