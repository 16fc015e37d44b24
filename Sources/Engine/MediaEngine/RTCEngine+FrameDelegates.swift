extension RTCEngine {
  /// Shows pictures to a delegate at the positions that it names, in place of the delegate before; `nil` ends it. The
  /// delegate is not kept alive. After capture it comes behind the `VideoFrameProcessor` and before the beauty effect; before
  /// rendering it comes before the remote video frame observer.
  @discardableResult public func setVideoFrameDelegate(_ delegate: (any RTCVideoFrameDelegate)?) -> Int {
    let tap = delegate.map { VideoFrameTap($0) }
    return runtime.change { _, parts in
      parts.videoSend.setTap(tap)
      parts.videoReceive.setTap(tap)
      return .ok
    }
  }

  /// Gives sound to a delegate at the positions that it names, in place of the delegate before; `nil` ends it. The delegate
  /// is not kept alive. Audio frame observers and volume reports get what it has made of the sound.
  @discardableResult public func setAudioFrameDelegate(_ delegate: (any RTCAudioFrameDelegate)?) -> Int {
    let tap = delegate.map { AudioFrameTap($0, registry: runtime.registry) }
    return runtime.change { _, parts in
      parts.audioSend.setTap(tap)
      parts.audioReceive.setTap(tap)
      return .ok
    }
  }
}
