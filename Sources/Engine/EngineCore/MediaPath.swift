import MediaBase
import PeerTransport
import RTPSession

/// The media side of a connection from one `joined` to the next: a transport and the streams on it.
///
/// An SSRC keeps its place in `session` as long as the path lives: starting its sequence numbers anew under the same key
/// would repeat nonces (RFC 7714 section 12.1).
struct MediaPath: ~Copyable {
  var transport: PeerTransport
  var session: RTPSession
  let audioSSRC: UInt32
  let videoSSRC: UInt32
  /// Of the smaller video stream; `nil` if the server takes none.
  var lowVideoSSRC: UInt32?

  /// The next datagram to send: connectivity checks always, media once there is a path to send it on.
  mutating func pollTransmit(into datagram: inout OutputRawSpan) -> TransportAddress? {
    if let address = transport.pollTransmit(into: &datagram) { return address }
    guard let address = transport.selectedRemoteAddress else { return nil }
    let start = datagram.byteCount
    while let kind = session.pollTransmit(into: &datagram) {
      if protect(&datagram, from: start, kind: kind) { return address }
      datagram.removeLast(datagram.byteCount - start)
    }
    return nil
  }

  /// Encrypts in place what was written after `start`; false if there is no room for the tag.
  private mutating func protect(_ datagram: inout OutputRawSpan, from start: Int, kind: RTPTransmitKind) -> Bool {
    datagram.withUnsafeMutableBytes { buffer, count in
      let packet = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      let protected =
        switch kind {
        case .rtp: transport.protectRTP(packet, length: count - start)
        case .rtcp: transport.protectRTCP(packet, length: count - start)
        }
      guard let protected else { return false }
      count = start + protected
      return true
    }
  }
}
