import MediaBase

/// What an `RTPSession` reports.
public enum RTPSessionEvent: Sendable {
  /// A picture that can be decoded: complete, in order, and all that it refers to has been reported before. After a gap
  /// that could not be closed the next one is a key frame.
  case videoFrame(ssrc: UInt32, EncodedVideoFrame)
  /// A packet of sound, in order of arrival and not twice; an `AudioJitterBuffer` puts them in order.
  case audioPacket(ssrc: UInt32, ReceivedAudioPacket)
  /// The other side needs a key frame of a stream that is sent from here.
  case keyFrameRequested(ssrc: UInt32)
  /// The other side has ended a stream (RFC 3550 section 6.6).
  case goodbye(ssrc: UInt32)
  /// The first packet of a receive stream has come; before its first frame or packet event.
  case firstPacket(ssrc: UInt32)
}
