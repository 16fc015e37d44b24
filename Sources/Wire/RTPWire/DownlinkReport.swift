import MediaBase

/// What a server tells a receiver of the path to it, and of which encoding of each video it gets: an application-defined
/// packet (RFC 3550 section 6.7) with the name "DLNK" (docs/protocol.md).
public struct DownlinkReport: Hashable, Sendable {
  /// One video.
  public struct Video: Hashable, Sendable {
    /// By which it is received.
    public var ssrc: UInt32
    /// Which of its encodings is forwarded; 0 is the smallest.
    public var layer: UInt8
    /// How many its publisher may send.
    public var layerCount: UInt8
    /// Whether it is left out, since the path does not carry it.
    public var isPaused: Bool

    /// Makes an entry.
    public init(ssrc: UInt32, layer: UInt8, layerCount: UInt8, isPaused: Bool) {
      self.ssrc = ssrc
      self.layer = layer
      self.layerCount = layerCount
      self.isPaused = isPaused
    }
  }

  private static let name: UInt32 = 0x444C_4E4B
  private static let unknownDelay = UInt32.max
  private static let headByteCount = 20
  private static let videoByteCount = 8

  /// How much the path carries, in bits per second, in steps of 1,000; `nil` if nothing is known.
  public var bitrate: Int?
  /// How long packets wait on the way beyond the least time, in steps of a millisecond; `nil` if nothing is known.
  public var queueDelay: MediaDuration?
  /// The videos that are forwarded, or left out for the path's sake.
  public var videos: [Video]

  /// Makes a report.
  public init(bitrate: Int?, queueDelay: MediaDuration?, videos: [Video]) {
    self.bitrate = bitrate
    self.queueDelay = queueDelay
    self.videos = videos
  }

  /// How many videos there is room for; `nil` if not even the report itself fits.
  public static func videoCapacity(freeCapacity: Int) -> Int? {
    guard freeCapacity >= headByteCount else { return nil }
    return (freeCapacity - headByteCount) / videoByteCount
  }

  /// Appends the report without its videos, of which exactly `videoCount` have to follow. There must be room for all.
  @_lifetime(output: copy output)
  public static func writeHead(
    senderSSRC: UInt32, bitrate: Int?, queueDelay: MediaDuration?, videoCount: Int, into output: inout OutputRawSpan
  ) {
    RTCPFeedback.writeHeader(
      format: 0, type: RTCPPacketLayout.PacketType.applicationDefined,
      byteCount: headByteCount + videoByteCount * videoCount, into: &output)
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(name)
    output.appendBigEndian(UInt32(clamping: (bitrate ?? 0) / 1_000))
    output.appendBigEndian(
      queueDelay.map { min(UInt32(clamping: $0.milliseconds), unknownDelay - 1) } ?? unknownDelay)
  }

  /// Appends one video.
  @_lifetime(output: copy output)
  public static func write(_ video: Video, into output: inout OutputRawSpan) {
    output.appendBigEndian(video.ssrc)
    output.append(video.layer)
    output.append(video.layerCount)
    output.append(video.isPaused ? 1 : 0)
    output.append(0)
  }

  /// Reads what `writeHead` and `write` have written; `nil` for any other packet. What follows the last whole video is left
  /// for newer servers.
  public init?(parsing bytes: RawSpan, at layout: RTCPPacketLayout) {
    let body = layout.bodyRange
    guard layout.packetType == RTCPPacketLayout.PacketType.applicationDefined, layout.count == 0,
      body.upperBound <= bytes.byteCount, body.count >= Self.headByteCount - 4,
      bytes.uint32(at: body.lowerBound + 4) == Self.name
    else { return nil }
    let kilobits = bytes.uint32(at: body.lowerBound + 8)
    let milliseconds = bytes.uint32(at: body.lowerBound + 12)
    bitrate = kilobits == 0 ? nil : Int(kilobits) * 1_000
    queueDelay = milliseconds == Self.unknownDelay ? nil : .milliseconds(Int64(milliseconds))
    videos = []
    var offset = body.lowerBound + Self.headByteCount - 4
    while offset + Self.videoByteCount <= body.upperBound {
      videos.append(
        Video(
          ssrc: bytes.uint32(at: offset), layer: bytes.uint8(at: offset + 4), layerCount: bytes.uint8(at: offset + 5),
          isPaused: bytes.uint8(at: offset + 6) & 1 != 0))
      offset += Self.videoByteCount
    }
  }
}
