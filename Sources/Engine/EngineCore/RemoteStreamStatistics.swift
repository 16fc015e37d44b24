import MediaBase

/// Totals of what is received of one remote user on one connection, since the user appeared.
public struct RemoteStreamStatistics: Sendable {
  /// Who.
  public var uid: UInt
  /// Pictures that came out complete and in order.
  public var videoFrames = 0
  /// How many of them were key frames.
  public var videoKeyFrames = 0
  /// Bytes of those pictures.
  public var videoBytes = 0
  /// Audio packets.
  public var audioPackets = 0
  /// Bytes of those packets.
  public var audioBytes = 0
  /// Video packets that were expected and never came, after retransmission.
  public var videoPacketsLost = 0
  /// Audio packets that were expected and never came.
  public var audioPacketsLost = 0
  /// Video packets that came, retransmissions included.
  public var videoPacketsReceived = 0
  /// Video packets that came by retransmission only.
  public var videoPacketsRecovered = 0
  /// From capture to the whole picture's arrival, by the wall clocks of both machines; `nil` if unknown.
  public var endToEndDelay: MediaDuration?
  /// From the capture of a packet's first sample of sound to its arrival, by the wall clocks of both machines; `nil` if
  /// unknown.
  public var audioEndToEndDelay: MediaDuration?
  /// The same from its last sample, when it could be sent: what the network takes.
  public var audioNetworkDelay: MediaDuration?
  /// How much longer pictures are on the way than sound, from capture to arrival, by the sender's clock alone; `nil` if
  /// unknown.
  public var videoLag: MediaDuration?
  /// Which encoding of the video the server forwards, 0 is the smallest, and how many there may be; `nil` if it has not said.
  public var videoLayer: (index: Int, count: Int)?
  /// The server leaves the video out for the network's sake.
  public var isVideoPaused = false
  /// How long the video has been published, as far as this connection has seen.
  public var videoPublishDuration = MediaDuration.zero
  /// How long the sound has been.
  public var audioPublishDuration = MediaDuration.zero
  /// How often the picture froze (no frame for `ConnectionTiming.frozen`).
  public var freezeCount = 0
  /// How long it was frozen in all.
  public var frozenTime = MediaDuration.zero

  /// Pictures, packets of sound and messages that could not be decrypted, or were not encrypted and had to be.
  public var decryptionFailures = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
