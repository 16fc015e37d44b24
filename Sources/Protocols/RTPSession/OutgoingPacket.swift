import CongestionControl
import MediaBase

/// A packet that waits for its turn.
struct OutgoingPacket {
  var bytes: [UInt8]
  let kind: Pacer.Kinds
  let queuedAt: MediaInstant
  /// Where its transport-wide number belongs, which it gets when it goes out; `nil` without one.
  var numberOffset: Int?
  /// The stream whose history is to keep it once it has gone out, and its number there.
  var record: (ssrc: UInt32, sequenceNumber: UInt16)?
  /// For a retransmission: the stream and number of what is sent again.
  var retransmitted: (ssrc: UInt32, sequenceNumber: UInt16)?
}

/// The packets of each kind that wait.
struct OutgoingQueues {
  /// Packets of one kind that wait at most; the oldest go first.
  private static let longest = 2_048

  private var audio = FIFO<OutgoingPacket>()
  private var retransmissions = FIFO<OutgoingPacket>()
  private var video = FIFO<OutgoingPacket>()
  /// Bytes of pictures that wait.
  private(set) var videoByteCount = 0

  var waiting: Pacer.Kinds {
    var kinds: Pacer.Kinds = []
    if !audio.isEmpty { kinds.insert(.audio) }
    if !retransmissions.isEmpty { kinds.insert(.retransmission) }
    if !video.isEmpty { kinds.insert(.video) }
    return kinds
  }

  mutating func append(_ packet: OutgoingPacket) {
    if packet.kind == .video { videoByteCount += packet.bytes.count }
    if count(packet.kind) >= Self.longest { _ = popFirst(packet.kind) }
    switch packet.kind {
    case .audio: audio.append(packet)
    case .retransmission: retransmissions.append(packet)
    default: video.append(packet)
    }
  }

  /// The next packet of a kind.
  func first(_ kind: Pacer.Kinds) -> OutgoingPacket? {
    switch kind {
    case .audio: audio.first
    case .retransmission: retransmissions.first
    default: video.first
    }
  }

  mutating func popFirst(_ kind: Pacer.Kinds) -> OutgoingPacket? {
    let packet =
      switch kind {
      case .audio: audio.popFirst()
      case .retransmission: retransmissions.popFirst()
      default: video.popFirst()
      }
    if let packet, kind == .video { videoByteCount -= packet.bytes.count }
    return packet
  }

  private func count(_ kind: Pacer.Kinds) -> Int {
    switch kind {
    case .audio: audio.count
    case .retransmission: retransmissions.count
    default: video.count
    }
  }
}
