import MediaEngine

/// What happens in the call's channel.
extension CallStateMachine {
  /// Something in the channel of a call.
  public enum ChannelEvent: Hashable, Sendable {
    /// It has been joined.
    case joined
    /// It has been left.
    case left
    /// The connection to it is lost; the engine looks for another one.
    case cutOff
    /// It is back.
    case rejoined
    /// It could not be joined, or something else went wrong; the engine's code.
    case failed(code: Int, message: String?)
    /// The application has joined it itself; it is not the call's any more.
    case taken
    /// The camera could not be started or has failed; the engine's code.
    case captureFailed(code: Int, message: String?)
    /// A user is there.
    case userJoined(UInt)
    /// A user has gone; the reason's number.
    case userLeft(UInt, reason: Int)
    /// A user's picture comes.
    case remoteVideo(UInt)
    /// A user's sound comes.
    case remoteAudio(UInt)
    /// The camera has given its first picture.
    case localVideoCaptured
    /// The first picture has been sent.
    case localVideoPublished
    /// The first sound has been sent.
    case localAudioPublished
  }

  /// Takes what has happened in channel `room`; what belongs to an earlier call's channel has no effect.
  public mutating func channel(_ room: String, _ event: ChannelEvent, now: CallInstant) -> [CallEffect] {
    run { machine in
      if event == .left { return machine.tell(.localLeft, now) }
      guard room == machine.joinedRoom else { return }
      machine.take(event, now)
    }
  }

  private mutating func take(_ event: ChannelEvent, _ now: CallInstant) {
    switch event {
    case .left: break
    case .joined:
      session.isCutOff = false
      noteCost("localUserJoinChannel", now)
      tell(.joinRTCSuccessed, now)
      tell(.localJoined, now)
    case .cutOff:
      session.isCutOff = true
      watchAbsence()
    case .rejoined:
      session.isCutOff = false
      watchAbsence()
    case .failed(Self.bannedByServer, let message): takeRemoval(by: .channel, message, now)
    case .failed(let code, let message): notify(.error(.rtcOccurError, .rtc, code: code, message: message))
    case .taken: endForTakenChannel(now)
    case .captureFailed(let code, let message) where session.type == .video:
      notify(.error(.startCaptureFail, .rtc, code: code, message: message))
    case .userJoined(let uid) where uid == session.peer:
      session.isPeerPresent = true
      session.removalSource = nil
      noteCost("remoteUserJoinChannel", now)
      tell(.remoteJoined, now)
      watchAbsence()
    case .userLeft(let uid, let reason) where uid == session.peer:
      session.isPeerPresent = false
      // What was seen of it does not connect a call any more: it may have given up.
      session.hasFirstFrame = false
      tell(.remoteLeft, text: String(reason), now)
      watchAbsence()
    case .remoteVideo(let uid) where uid == session.peer && session.type == .video: receiveFirstFrame(now)
    case .remoteAudio(let uid) where uid == session.peer && session.type == .audio: receiveFirstFrame(now)
    case .localVideoCaptured:
      noteCost("localFirstFrameDidCapture", now)
      tell(.captureFirstLocalVideoFrame, now)
    case .localVideoPublished:
      noteCost("localFirstFrameDidPublish", now)
      tell(.publishFirstLocalVideoFrame, now)
    case .localAudioPublished:
      if session.type == .audio { noteCost("localFirstFrameDidPublish", now) }
      tell(.publishFirstLocalAudioFrame, now)
    case .captureFailed, .userJoined, .userLeft, .remoteVideo, .remoteAudio: break
    }
  }

  private mutating func receiveFirstFrame(_ now: CallInstant) {
    if !session.hasFirstFrame { noteCost("recvFirstFrame", now) }
    session.hasFirstFrame = true
    session.isPeerPresent = true
    tell(.recvRemoteFirstFrame, now)
    checkConnected(.recvRemoteFirstFrame, now: now)
  }

  /// The other side has chosen a channel that the application wants for itself. A channel of one's own does not give way.
  private mutating func endForTakenChannel(_ now: CallInstant) {
    guard let peer = session.peer, !session.isCaller else { return }
    let reason = CallMessage.channelReason
    end(state == .calling ? .reject : .hangup, peer, reason: reason, text: reason, now: now)
  }
}
