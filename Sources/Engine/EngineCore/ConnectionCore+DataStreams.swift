import ControlWire
public import MediaBase

extension ConnectionCore {
  /// Sends a message on a data stream. Outside the channel it is lost, which receivers notice by its number.
  ///
  /// - Parameters:
  ///   - streamID: 1 to `DataStreamLimits.streamCount`.
  ///   - sequence: from `DataStreamSender.nextSequence(stream:byteCount:now:)`.
  ///   - data: at most `DataStreamLimits.messageByteCount` bytes.
  public mutating func sendStreamMessage(streamID: Int, sequence: Int, data: [UInt8], now: MediaInstant) {
    guard case .joined = phase,
      let message = streamMessage(streamID: streamID, sequence: sequence, data: data, now: now)
    else { return }
    commands.append(.send(.streamMessage(message)))
  }

  /// What the server says of the token's right to send messages. When the right ends alone, it says so by refusing one.
  mutating func setMaySendData(_ maySend: Bool) {
    guard maySend != maySendData else { return }
    maySendData = maySend
    events.append(.maySendData(maySend))
  }

  mutating func receiveStreamMessage(_ message: StreamMessageResponse, now: MediaInstant) {
    guard users[message.uid] != nil, let bytes = HexadecimalText.decode(message.data),
      let data = decrypted(bytes, of: message, now: now),
      let missed = users[message.uid]?.dataStreams.receive(stream: message.streamID, sequence: message.sequence)
    else { return }
    if missed > 0 {
      events.append(.streamMessageError(uid: message.uid, streamID: message.streamID, missed: missed))
    }
    events.append(.streamMessage(uid: message.uid, streamID: message.streamID, data))
  }
}
