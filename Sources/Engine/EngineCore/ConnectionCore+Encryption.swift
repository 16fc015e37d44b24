import ControlWire
public import MediaBase
import RTPSession
import SFrame

extension ConnectionCore {
  /// A picture whose predecessors have been dropped is dropped too; a key frame is asked for so often.
  private static let keyFrameRequestInterval = MediaDuration.milliseconds(500)

  /// Turns encryption between the ends on, changes its key, or turns it off (`nil`).
  ///
  /// With a new key, the one before is good for receiving for `ConnectionTiming.keyOverlap`. What is encrypted and what is
  /// not never mix: when encryption is turned on or off, pictures begin with a key frame.
  public mutating func setEncryption(_ settings: FrameEncryptionSettings?, now: MediaInstant) {
    guard !hasEnded else { return }
    let wasOn = encryption.isOn
    let oldSecret = encryption.settings?.secret
    encryption.set(settings, now: now)
    guard wasOn != encryption.isOn else {
      if oldSecret != settings?.secret, isSendingVideo { askForKeyFrames() }
      return
    }
    for uid in users.keys {
      users[uid]?.needsKeyFrame = encryption.isOn
      users[uid]?.isVideoEncrypted = !encryption.isOn
      if !encryption.isOn { requestKeyFrame(of: uid, now: now) }
    }
    if publishing.video { beginVideo() }
    drainPath(now: now)
  }

  /// What the server keeps for those who come is to begin with a key frame that they can read.
  private mutating func askForKeyFrames() {
    if canSendLowVideo { events.append(.lowKeyFrameNeeded) }
    events.append(.keyFrameNeeded)
  }

  /// Goes on with a key that follows from the present one, while that one does not follow from it (RFC 9605 section 5.1).
  /// Receivers follow by themselves.
  public mutating func ratchetEncryptionKey(now: MediaInstant) {
    if !encryption.ratchet() { encryptionFailed(.internalFailure, of: 0, now: now) }
  }

  // MARK: Sending

  /// What goes out of a frame; `nil` if nothing may.
  mutating func encrypted(_ frame: EncodedVideoFrame, now: MediaInstant) -> EncodedVideoFrame? {
    guard encryption.isOn else { return frame }
    guard let data = encrypt(frame.data, kind: .video) else {
      encryptionFailed(.encryptionFailure, of: 0, now: now)
      return nil
    }
    var result = frame
    result.data = data
    return result
  }

  mutating func encrypted(_ frame: EncodedAudioFrame, now: MediaInstant) -> EncodedAudioFrame? {
    guard encryption.isOn else { return frame }
    guard let data = encrypt(frame.data, kind: .audio) else {
      encryptionFailed(.encryptionFailure, of: 0, now: now)
      return nil
    }
    var result = frame
    result.data = data
    return result
  }

  /// The request for a message; `nil` if it may not go out.
  mutating func streamMessage(
    streamID: Int, sequence: Int, data: [UInt8], now: MediaInstant
  ) -> StreamMessageRequest? {
    guard encryption.includesDataStreams else {
      return StreamMessageRequest(streamID: streamID, sequence: sequence, data: HexadecimalText.encode(data))
    }
    let context = Self.messageContext(streamID: streamID, sequence: sequence)
    guard let sealed = encrypt(data, kind: .data, context: context) else {
      encryptionFailed(.dataStreamEncryptionFailure, of: 0, now: now)
      return nil
    }
    return StreamMessageRequest(
      streamID: streamID, sequence: sequence, data: HexadecimalText.encode(sealed), isEncrypted: true)
  }

  private mutating func encrypt(_ bytes: [UInt8], kind: SFrameMediaKind, context: [UInt8] = []) -> [UInt8]? {
    encryption.encrypt(bytes, kind: kind, context: context, uid: uid)
  }

  /// Stream and number of a message are authenticated with it.
  private static func messageContext(streamID: Int, sequence: Int) -> [UInt8] {
    withUnsafeBytes(of: (Int64(streamID).bigEndian, Int64(sequence).bigEndian)) { Array($0) }
  }

  // MARK: Receiving

  /// What a received picture is; `nil` if it is of no use. Plain pictures are none while encryption is on.
  mutating func decrypted(
    _ frame: EncodedVideoFrame, of key: RemoteStreamKey, ssrc: UInt32, now: MediaInstant
  ) -> EncodedVideoFrame? {
    guard encryption.isOn else { return plain(frame, of: key, now: now) }
    guard let data = decrypt(frame.data, kind: .video, of: key, now: now) else { return nil }
    if users[key.uid]?.needsKeyFrame == true, !frame.isKeyFrame {
      let last = users[key.uid]?.keyFrameRequestTime
      if last.map({ now - $0 >= Self.keyFrameRequestInterval }) ?? true {
        users[key.uid]?.keyFrameRequestTime = now
        path?.session.requestKeyFrame(ssrc: ssrc, now: now)
      }
      return nil
    }
    users[key.uid]?.needsKeyFrame = false
    var result = frame
    result.data = data
    return result
  }

  /// Without a key: what is encrypted would be noise to the decoder. A key frame tells whether it and what follows is.
  private mutating func plain(
    _ frame: EncodedVideoFrame, of key: RemoteStreamKey, now: MediaInstant
  ) -> EncodedVideoFrame? {
    if frame.isKeyFrame { users[key.uid]?.isVideoEncrypted = SFrameMediaKind.video.looksEncrypted(frame.data) }
    guard users[key.uid]?.isVideoEncrypted == true else { return frame }
    decryptionFailed(of: key, now: now)
    return nil
  }

  mutating func decrypted(
    _ packet: ReceivedAudioPacket, of key: RemoteStreamKey, now: MediaInstant
  ) -> ReceivedAudioPacket? {
    guard encryption.isOn else {
      guard SFrameMediaKind.audio.looksEncrypted(packet.payload) else { return packet }
      decryptionFailed(of: key, now: now)
      return nil
    }
    guard let payload = decrypt(packet.payload, kind: .audio, of: key, now: now) else { return nil }
    var result = packet
    result.payload = payload
    return result
  }

  mutating func decrypted(_ bytes: [UInt8], of message: StreamMessageResponse, now: MediaInstant) -> [UInt8]? {
    let isEncrypted = message.isEncrypted == true
    if !isEncrypted, !encryption.includesDataStreams { return bytes }
    if isEncrypted, encryption.isOn {
      let context = Self.messageContext(streamID: message.streamID, sequence: message.sequence)
      do throws(SFrameError) {
        return try encryption.decrypt(bytes, kind: .data, context: context, of: message.uid, now: now)
      } catch .replayed {
        return nil
      } catch {}
    }
    users[message.uid]?.statistics.decryptionFailures += 1
    encryptionFailed(.dataStreamDecryptionFailure, of: message.uid, now: now)
    return nil
  }

  private mutating func decrypt(
    _ bytes: [UInt8], kind: SFrameMediaKind, of key: RemoteStreamKey, now: MediaInstant
  ) -> [UInt8]? {
    do throws(SFrameError) {
      return try encryption.decrypt(bytes, kind: kind, of: key.uid, now: now)
    } catch .replayed {
      // Whoever sends old frames again must not be able to stop the present ones.
      return nil
    } catch {
      if key.isVideo { users[key.uid]?.needsKeyFrame = true }
      decryptionFailed(of: key, now: now)
      return nil
    }
  }

  private mutating func decryptionFailed(of key: RemoteStreamKey, now: MediaInstant) {
    users[key.uid]?.statistics.decryptionFailures += 1
    let patience = configuration.timing.frozen
    change(key, now: now) { $0.receivedUselessFrame(now: now, after: patience) }
    encryptionFailed(.decryptionFailure, of: key.uid, now: now)
  }

  private mutating func encryptionFailed(_ type: EncryptionErrorType, of uid: UInt, now: MediaInstant) {
    guard encryption.shouldReport(type, of: uid, now: now) else { return }
    switch type {
    case .decryptionFailure:
      events.append(
        .error(
          .decryptionFailed,
          message: "What user \(uid) sends cannot be decrypted: another key, or encryption on one side only."))
    case .dataStreamDecryptionFailure:
      events.append(
        .error(
          .dataStreamDecryptionFailed,
          message: "A message of user \(uid) cannot be decrypted: another key, or encryption on one side only."))
    case .internalFailure, .encryptionFailure, .dataStreamEncryptionFailure: break
    }
    events.append(.encryptionError(uid: uid, type))
  }
}
