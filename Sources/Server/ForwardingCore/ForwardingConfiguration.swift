public import MediaBase

/// Numbers that all peers share, and how patient the forwarding room is.
public struct ForwardingConfiguration: Hashable, Sendable {
  /// Payload type of Opus.
  public var opusPayloadType: UInt8
  /// Payload type of VP8.
  public var vp8PayloadType: UInt8
  /// Payload type of VP8's retransmissions (RFC 4588).
  public var rtxPayloadType: UInt8
  /// Id of the audio level extension (RFC 6464), 1 to 14.
  public var audioLevelExtensionID: UInt8
  /// Id of the transport-wide sequence number extension, 1 to 14.
  public var transportSequenceExtensionID: UInt8
  /// How long a new peer may take to connect.
  public var connectTimeout: MediaDuration
  /// How long a connected peer may go without an authentic connectivity check (RFC 7675 section 5.1: 30 s).
  public var consentTimeout: MediaDuration
  /// Time between reports to one peer, on average.
  public var reportInterval: MediaDuration
  /// Least time between two requests for a key frame of one publisher.
  public var keyFrameRequestInterval: MediaDuration
  /// When a request is first repeated while a subscriber waits for the key frame; later ones follow at up to eight times
  /// this distance.
  public var keyFrameRepeatInterval: MediaDuration
  /// For how long after a key frame further ones, asked for by subscribers that already receive, are put off.
  public var keyFrameHoldoff: MediaDuration
  /// How long a missing packet may be late by reordering before it is asked for.
  public var reorderingTolerance: MediaDuration

  /// Makes a configuration.
  public init(
    opusPayloadType: UInt8 = 111, vp8PayloadType: UInt8 = 96, rtxPayloadType: UInt8 = 97,
    audioLevelExtensionID: UInt8 = 1, transportSequenceExtensionID: UInt8 = 3,
    connectTimeout: MediaDuration = .seconds(Int64(30)), consentTimeout: MediaDuration = .seconds(Int64(30)),
    reportInterval: MediaDuration = .seconds(Int64(1)), keyFrameRequestInterval: MediaDuration = .milliseconds(100),
    keyFrameRepeatInterval: MediaDuration = .milliseconds(200), keyFrameHoldoff: MediaDuration = .milliseconds(300),
    reorderingTolerance: MediaDuration = .milliseconds(5)
  ) {
    self.opusPayloadType = opusPayloadType
    self.vp8PayloadType = vp8PayloadType
    self.rtxPayloadType = rtxPayloadType
    self.audioLevelExtensionID = audioLevelExtensionID
    self.transportSequenceExtensionID = transportSequenceExtensionID
    self.connectTimeout = connectTimeout
    self.consentTimeout = consentTimeout
    self.reportInterval = reportInterval
    self.keyFrameRequestInterval = keyFrameRequestInterval
    self.keyFrameRepeatInterval = keyFrameRepeatInterval
    self.keyFrameHoldoff = keyFrameHoldoff
    self.reorderingTolerance = reorderingTolerance
  }
}
