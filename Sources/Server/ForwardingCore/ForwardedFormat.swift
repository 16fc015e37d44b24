/// The numbers that stand for codecs and header extensions on one peer's connection, in both directions.
public struct ForwardedFormat: Hashable, Sendable {
  /// Payload type of Opus.
  public var opusPayloadType: UInt8
  /// Payload type of VP8.
  public var vp8PayloadType: UInt8
  /// Payload type of VP8's retransmissions (RFC 4588); `nil` if the peer does not know them.
  public var rtxPayloadType: UInt8?
  /// Id of the audio level extension (RFC 6464); 0 without it.
  public var audioLevelExtensionID: UInt8
  /// Id of the transport-wide sequence number extension; 0 without it.
  public var transportSequenceExtensionID: UInt8
  /// Payload type of redundant audio (RFC 2198) around Opus; `nil` if the peer does not know it.
  public var redPayloadType: UInt8?
  /// Further header extensions.
  public var extensions = ForwardedExtensions() {
    didSet { isPlain = extensions.isEmpty && !extensions.usesTwoByteForm }
  }
  /// Whether packets have the audio level and the transport-wide number at most, in the one-byte form.
  private(set) var isPlain = true
  /// Id of the capture time extension in what a peer sends who gets none; 0 without it.
  public var sentCaptureTimeExtensionID: UInt8 = 0
  /// Id of the `mid` extension (RFC 9143 section 15) in what the peer sends; 0 without it.
  public var mediaIDExtensionID: UInt8 = 0
  /// Id of the `rtp-stream-id` extension (RFC 8852) in what the peer sends; 0 without it.
  public var restrictionIDExtensionID: UInt8 = 0
  /// Id of the `repaired-rtp-stream-id` extension (RFC 8852) in what the peer sends; 0 without it.
  public var repairedRestrictionIDExtensionID: UInt8 = 0
  /// Whether the peer wants feedback on the transport-wide numbers that it sends.
  public var wantsTransportFeedback = false

  /// Whether the peer wants to be told how much it may send (REMB); for that its packets say when they were sent
  /// (`extensions.sendTimeID`).
  public var wantsReceiverEstimate = false

  /// Whether the peer wants to be told of the path to it, and of which encodings it gets (`DownlinkReport`).
  public var wantsDownlinkReport = false

  /// Makes a format; the defaults are those of the control protocol.
  public init(
    opusPayloadType: UInt8 = 111, vp8PayloadType: UInt8 = 96, rtxPayloadType: UInt8? = 97,
    audioLevelExtensionID: UInt8 = 1, transportSequenceExtensionID: UInt8 = 3
  ) {
    self.opusPayloadType = opusPayloadType
    self.vp8PayloadType = vp8PayloadType
    self.rtxPayloadType = rtxPayloadType
    self.audioLevelExtensionID = audioLevelExtensionID
    self.transportSequenceExtensionID = transportSequenceExtensionID
  }

  /// Whether what the peer sends may have more than the audio level and the transport-wide number.
  var mayHaveExtras: Bool { !isPlain || sentCaptureTimeExtensionID != 0 }
}
