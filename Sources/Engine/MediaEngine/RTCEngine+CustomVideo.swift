import EngineCore
import LinuxIO
import MediaBase

extension RTCEngine {
  /// Makes a track for pictures that the application has itself: `pushVideoFrame(_:trackID:)` gives them to it, and the
  /// connections whose options have `publishCustomVideoTrack` with its number publish them. Each connection may publish
  /// another track; a track is encoded once for all connections whose encoder configuration is equal.
  ///
  /// - Returns: the track's number, from 1 on, never used again; -22 (64 tracks are there), -7.
  @discardableResult public func createCustomVideoTrack() -> Int { addVideoTrack(encodedBitrate: nil) }

  /// Ends a track. Connections that publish it publish no video from now on, until their options say which.
  ///
  /// - Returns: 0; -2 (no such track), -7.
  @discardableResult public func destroyCustomVideoTrack(_ trackID: Int) -> Int {
    removeVideoTrack(trackID, isEncoded: false)
  }

  /// Gives a track its next picture, from any thread. It is encoded at once where the track is published, and otherwise
  /// dropped; of two that come faster than they can be encoded the newer one is. Nothing is sent meanwhile: a still picture
  /// is to be given again now and then (the same frame, if its time is `.zero`), since who comes later needs one. What is put
  /// between camera and encoder (filters, observers, the local canvas) is not applied.
  ///
  /// - Parameters:
  ///   - frame: 2 to 4,096 pixels a side. From now on nobody may change it.
  ///     `VideoFrame.captureTime` is on the monotonic clock, at most 10 s away; `.zero` means now. A frame whose time is not
  ///     later than that of the one before is left out; one that is much earlier begins anew.
  ///   - trackID: what `createCustomVideoTrack()` has returned.
  /// - Returns: 0; -2 (no such track, a picture of another size, rotation or time), -7.
  @discardableResult public func pushVideoFrame(_ frame: VideoFrame, trackID: Int) -> Int {
    guard let parts = runtime.parts.get() else { return -EngineErrorCode.notInitialized.rawValue }
    let now = MonotonicClock.now()
    // Another frame, since the application may give this one again, and to several tracks.
    let frame = frame.captured(at: frame.captureTime == .zero ? now : frame.captureTime)
    let sides = 2...4_096
    guard sides.contains(frame.width), sides.contains(frame.height), [0, 90, 180, 270].contains(frame.rotation),
      frame.captureTime.isNear(now), parts.videoSend.push(frame, track: trackID, now: now)
    else { return -EngineErrorCode.invalidArgument.rawValue }
    return 0
  }

  /// Makes a track of either kind; its number, or a code.
  func addTrack(_ enter: (inout EngineIntent, EngineRuntime.Parts, Int) -> Void) -> Int {
    var number = 0
    let code = runtime.change { intent, parts in
      guard let id = intent.takeTrackID() else { return .resourceLimited }
      number = id
      enter(&intent, parts, id)
      return .ok
    }
    return code == 0 ? number : code
  }

  func addVideoTrack(encodedBitrate: Int?) -> Int {
    addTrack { intent, parts, id in
      intent.customVideoTracks[id] = LocalVideoTrack(id: id, encodedBitrate: encodedBitrate)
      follow(intent.customVideoTracks, parts)
    }
  }

  func removeVideoTrack(_ trackID: Int, isEncoded: Bool) -> Int {
    runtime.change { intent, parts in
      guard intent.customVideoTracks[trackID]?.isEncoded == isEncoded else { return .invalidArgument }
      intent.customVideoTracks[trackID] = nil
      for index in intent.connections.indices { intent.connections[index].tracks.forgetVideo(trackID) }
      follow(intent.customVideoTracks, parts)
      return .ok
    }
  }

  /// Tells who takes the pictures which tracks there are.
  private func follow(_ tracks: [Int: LocalVideoTrack], _ parts: EngineRuntime.Parts) {
    parts.videoSend.setTracks(Set(tracks.values.filter { !$0.isEncoded }.map(\.id)))
    runtime.encodedVideo.setTracks(Set(tracks.values.filter(\.isEncoded).map(\.id)))
  }
}

extension MediaInstant {
  /// Whether a time that the application gives can be meant.
  func isNear(_ now: MediaInstant) -> Bool {
    let distance = self - now
    return distance <= .seconds(10) && distance >= .seconds(-10)
  }
}
