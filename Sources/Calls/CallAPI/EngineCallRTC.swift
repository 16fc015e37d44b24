import MediaEngine
import Synchronization

/// Calls on a real engine.
///
/// Capture is the engine's business: it runs while any of its connections publishes, so that a host who returns to the show
/// need not switch it on again.
final class EngineCallRTC: CallRTC {
  private let engine: RTCEngine
  private let state = Mutex(State())
  /// Held while something is done to a connection that is a call's: it must not become the application's meanwhile.
  private let operation = Mutex(())

  private struct State {
    /// The engine holds delegates weakly: they live here until their channel has been left.
    var observers: [String: ChannelObserver] = [:]
    var leaving: [ChannelObserver] = []
    /// How channels are encrypted, or will be.
    var encryptions: [String: CallMediaEncryption] = [:]
    var hasLocalView = false
    /// Who is seen where, by channel.
    var shown: [String: VideoCanvas] = [:]
  }

  init(engine: RTCEngine) { self.engine = engine }

  func isElsewhere(_ room: String, uid: UInt) -> Bool {
    !isCall(room) && engine.isJoined(RTCConnection(channelID: room, localUID: uid))
  }

  /// Whether a channel has been joined for a call. All others are the application's, and must not be touched: the caller
  /// says which channel it is to be.
  private func isCall(_ room: String) -> Bool { state.withLock { $0.observers[room] != nil } }

  /// Does something in a channel if it is a call's.
  private func inCall(_ room: String, _ body: () -> Void) {
    operation.withLock { _ in if isCall(room) { body() } }
  }

  func join(
    _ room: String, token: String, uid: UInt, peer: UInt, isVideo: Bool, publishes: Bool, givesWay: Bool,
    localView: VideoCanvas.Target?,
    onEvent: @escaping @Sendable (CallStateMachine.ChannelEvent) -> Void, onTokenExpiry: @escaping @Sendable () -> Void
  ) -> Int {
    let connection = RTCConnection(channelID: room, localUID: uid)
    let observer = ChannelObserver(
      onEvent: { [weak self] observer, event in
        if event == .left { self?.forget(observer) }
        if case .userJoined(let user) = event { self?.showAgain(user, RTCConnection(channelID: room, localUID: uid)) }
        onEvent(event)
      }, onTokenExpiry: onTokenExpiry)
    let options = ChannelMediaOptions(
      publishCameraTrack: publishes && isVideo, publishMicrophoneTrack: publishes, autoSubscribeVideo: isVideo,
      clientRoleType: .broadcaster, channelProfile: .communication)
    let code = operation.withLock { _ in
      join(connection, token: token, peer: peer, observer, options, givesWay: givesWay)
    }
    guard code == 0 else {
      engine.removeDelegate(observer.capture)
      state.withLock { state in
        state.observers[room] = nil
        state.encryptions[room] = nil
      }
      return code
    }
    if isVideo, let localView {
      state.withLock { $0.hasLocalView = true }
      return engine.setupLocalVideo(VideoCanvas(target: localView))
    }
    return 0
  }

  /// Joins with nothing of the other side to be heard, and in the clear only if that is meant.
  private func join(
    _ connection: RTCConnection, token: String, peer: UInt, _ observer: ChannelObserver,
    _ options: ChannelMediaOptions, givesWay: Bool
  ) -> Int {
    let encryption = state.withLock { state in
      state.observers[connection.channelID] = observer
      return state.encryptions[connection.channelID] ?? CallMediaEncryption.none
    }
    var options = options
    options.autoSubscribeAudio = encryption != .awaited
    if encryption == .awaited { options.autoSubscribeVideo = false }
    options.enableBuiltInMediaEncryption = engine.isEncryptionEnabled
    options.mediaEncryption = encryption.configuration
    // Before: a camera that is not there says so at once.
    engine.addDelegate(observer.capture)
    let giveWay: @Sendable () -> Void = { [weak self] in self?.giveWay(connection) }
    let code = engine.joinChannelEx(
      token: token.isEmpty ? nil : token, connection: connection, delegate: observer, options: options,
      giveWay: givesWay ? giveWay : nil)
    if code == 0 { engine.adjustUserPlaybackSignalVolumeEx(uid: peer, volume: 0, connection: connection) }
    return code
  }

  func encrypt(_ room: String, uid: UInt, _ encryption: CallMediaEncryption) {
    state.withLock { $0.encryptions[room] = encryption }
    guard let configuration = encryption.configuration else { return }
    inCall(room) {
      engine.enableEncryptionEx(
        true, configuration: configuration, connection: RTCConnection(channelID: room, localUID: uid))
    }
  }

  func publish(_ room: String, uid: UInt, isVideo: Bool) {
    inCall(room) {
      engine.updateChannelMediaOptionsEx(
        ChannelMediaOptions(
          publishCameraTrack: isVideo, publishMicrophoneTrack: true, autoSubscribeAudio: true,
          autoSubscribeVideo: isVideo),
        connection: RTCConnection(channelID: room, localUID: uid))
    }
  }

  func reveal(_ room: String, uid: UInt, peer: UInt, remoteView: VideoCanvas.Target?) {
    let connection = RTCConnection(channelID: room, localUID: uid)
    inCall(room) {
      engine.adjustUserPlaybackSignalVolumeEx(uid: peer, volume: 100, connection: connection)
      guard let remoteView else { return }
      let canvas = VideoCanvas(uid: peer, target: remoteView)
      state.withLock { $0.shown[room] = canvas }
      engine.setupRemoteVideoEx(canvas, connection: connection)
    }
  }

  /// The engine forgets the canvas of a user that goes; the other side of a call may come back.
  private func showAgain(_ user: UInt, _ connection: RTCConnection) {
    inCall(connection.channelID) {
      guard let canvas = state.withLock({ $0.shown[connection.channelID] }), canvas.uid == user else { return }
      engine.setupRemoteVideoEx(canvas, connection: connection)
    }
  }

  func renewToken(_ room: String, uid: UInt, token: String) {
    inCall(room) {
      engine.updateChannelMediaOptionsEx(
        ChannelMediaOptions(token: token), connection: RTCConnection(channelID: room, localUID: uid))
    }
  }

  func leave(_ room: String, uid: UInt) {
    let hadLocalView = state.withLock { state in
      defer { state.hasLocalView = false }
      return state.hasLocalView
    }
    if hadLocalView { engine.setupLocalVideo(nil) }
    leave(RTCConnection(channelID: room, localUID: uid))
  }

  /// The application joins the channel itself, and waits until it is no call's any more.
  private func giveWay(_ connection: RTCConnection) { leave(connection)?.report(.taken) }

  /// Leaves a call's channel; returns who has observed it.
  @discardableResult
  private func leave(_ connection: RTCConnection) -> ChannelObserver? {
    operation.withLock { _ in
      let observer = state.withLock { state in
        let observer = state.observers.removeValue(forKey: connection.channelID)
        if let observer { state.leaving.append(observer) }
        state.shown[connection.channelID] = nil
        state.encryptions[connection.channelID] = nil
        return observer
      }
      guard let observer else { return nil }
      engine.removeDelegate(observer.capture)
      if engine.leaveChannelEx(connection) != 0 { forget(observer) }
      return observer
    }
  }

  private func forget(_ observer: ChannelObserver) {
    state.withLock { state in state.leaving.removeAll { $0 === observer } }
  }
}

extension CallMediaEncryption {
  /// What an engine is told; `nil` without a key.
  fileprivate var configuration: EncryptionConfiguration? {
    guard case .key(let key) = self else { return nil }
    return EncryptionConfiguration(key: key.text)
  }
}

/// Turns what the engine reports of one channel into what the state machine knows.
private final class ChannelObserver: RTCEngineDelegate {
  private let onEvent: @Sendable (ChannelObserver, CallStateMachine.ChannelEvent) -> Void
  private let onTokenExpiry: @Sendable () -> Void
  let capture: CaptureObserver

  init(
    onEvent: @escaping @Sendable (ChannelObserver, CallStateMachine.ChannelEvent) -> Void,
    onTokenExpiry: @escaping @Sendable () -> Void
  ) {
    self.onEvent = onEvent
    self.onTokenExpiry = onTokenExpiry
    capture = CaptureObserver()
    capture.channel.withLock { $0 = WeakChannel(observer: self) }
  }

  func report(_ event: CallStateMachine.ChannelEvent) { onEvent(self, event) }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {
    report(.joined)
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLeaveChannel statistics: RTCStatistics) {
    report(.left)
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didRejoinChannel uid: UInt, elapsed: Int) {
    report(.rejoined)
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, connectionChanged state: ConnectionState,
    reason: ConnectionChangedReason
  ) { if state == .reconnecting, reason == .interrupted { report(.cutOff) } }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    report(.userJoined(uid))
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason) {
    report(.userLeft(uid, reason: reason.rawValue))
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String)
  {
    report(.failed(code: code.rawValue, message: message))
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
    reason: RemoteVideoStateReason, elapsed: Int
  ) {
    // Not when it only recovers from a freeze.
    if state == .decoding, [.remoteUnmuted, .localUnmuted, .localMuted].contains(reason) { report(.remoteVideo(uid)) }
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioFrameOfUID uid: UInt, elapsed: Int
  ) { report(.remoteAudio(uid)) }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalVideoFramePublished elapsed: Int) {
    report(.localVideoPublished)
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalAudioFramePublished elapsed: Int) {
    report(.localAudioPublished)
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, tokenPrivilegeWillExpire token: String) {
    onTokenExpiry()
  }

  struct WeakChannel: Sendable {
    weak var observer: ChannelObserver?
  }

  /// The camera belongs to no connection: its first picture and its failure are told to the engine's delegates.
  final class CaptureObserver: RTCEngineDelegate {
    let channel = Mutex(WeakChannel())

    func rtcEngine(_ engine: RTCEngine, firstLocalVideoFrame width: Int, height: Int, elapsed: Int) {
      channel.withLock { $0.observer }?.report(.localVideoCaptured)
    }

    func rtcEngine(
      _ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String
    ) {
      guard connection == nil, [.startCamera, .cameraNotAuthorized].contains(code) else { return }
      channel.withLock { $0.observer }?.report(.captureFailed(code: code.rawValue, message: message))
    }
  }
}
