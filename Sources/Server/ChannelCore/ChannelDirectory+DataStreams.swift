import ControlWire
import MediaBase

extension ChannelDirectory {
  /// Passes a data stream's message on to everybody in the sender's channel; participants by WebRTC have no way to get it.
  mutating func relay(_ message: StreamMessageRequest, client: UInt64, now: MediaInstant) {
    guard let sender = members[client] else {
      return refuse(ErrorResponse(code: .invalidState, message: "Join a channel before sending data."), client: client)
    }
    guard sender.isVisible else {
      return refuse(
        ErrorResponse(code: .invalidState, message: "An audience sends no data; become broadcaster first."),
        client: client)
    }
    guard sender.grant.publishData.allows(now) else {
      return refuse(
        ErrorResponse(
          code: .noPermission, message: "The token does not allow to send data; renew it with one that does."),
        client: client)
    }
    let allowed = message.isEncrypted == true ? DataStreamLimits.encryptionByteCount : 0
    guard DataStreamLimits.isValidStream(message.streamID), let data = HexadecimalText.decode(message.data),
      data.count <= DataStreamLimits.messageByteCount + allowed
    else {
      return refuse(
        ErrorResponse(
          code: .invalidArgument,
          message:
            "A data stream has a number of 1 to \(DataStreamLimits.streamCount), its messages at most "
            + "\(DataStreamLimits.messageByteCount) bytes in hexadecimal digits."), client: client)
    }
    guard members[client]?.dataAllowance.take(byteCount: max(data.count - allowed, 0), now: now) == true else {
      return refuse(
        ErrorResponse(
          code: .resourceLimited,
          message: "Too much data; send at most \(DataStreamLimits.bytesPerSecond) bytes a second."), client: client)
    }
    let copy = StreamMessageResponse(
      uid: sender.uid, streamID: message.streamID, sequence: message.sequence, data: message.data,
      isEncrypted: message.isEncrypted)
    for other in others(of: sender) where members[other]?.webRTC == nil { send(.streamMessage(copy), to: other) }
  }
}
