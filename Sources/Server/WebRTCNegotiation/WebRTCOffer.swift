public import ControlWire
public import ForwardingCore
public import SDPWire

/// The offer of a client that publishes (WHIP, RFC 9725) or plays (WHEP), understood.
///
/// One audio and one video section are accepted, with Opus and VP8, on one transport; all other sections are rejected.
public struct WebRTCOffer: Hashable, Sendable {
  /// What the client wants.
  public enum Purpose: Hashable, Sendable {
    /// To send media (WHIP).
    case publish
    /// To receive media (WHEP).
    case play
  }

  /// What the client wants.
  public let purpose: Purpose
  /// The offer as it was read.
  public let description: SessionDescription
  /// The client's ICE credentials.
  public let ice: ICEParameters
  /// SHA-256 of the client's certificate.
  public let fingerprint: [UInt8]
  /// The numbers that the answer agrees to; payload types of a medium that is not accepted are 0.
  public let format: ForwardedFormat
  /// What a publisher sends with; 0 for what it does not tell.
  public let sendSSRCs: TrackSSRCs
  /// The encodings of a publisher's video, if there are several; `sendSSRCs` then counts for its sound only.
  public let sendLayers: [ForwardedLayer]
  /// Which tracks a publisher will send.
  public let publishes: TrackFlags
  /// Which tracks a player can receive.
  public let receives: TrackFlags
  /// Whether the client may tell further candidates later (`a=ice-options:trickle`, RFC 8840).
  public let isTrickling: Bool
  /// What is rejected of the media that somebody may miss, as sentences for people.
  public let rejections: [String]
  let audio: AcceptedMedium?
  let video: AcceptedMedium?
  /// The places of the accepted sections, in the order of the answer's BUNDLE group.
  let order: [Int]
  /// Whether the answer has a BUNDLE group.
  let isBundled: Bool

  /// What is agreed to only if the server says so.
  public struct Support: OptionSet, Hashable, Sendable {
    /// A bit for each.
    public let rawValue: UInt8

    /// Takes the bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Transport-wide numbers: the server sends feedback on them.
    public static let transportCC = Support(rawValue: 1)
    /// That publishers tell how they are held instead of turning their pictures: all receivers can turn them.
    public static let orientation = Support(rawValue: 2)
  }

  /// Reads an offer.
  public init(parsing text: String, purpose: Purpose, support: Support = []) throws(WebRTCOfferError) {
    let offer: SessionDescription
    do throws(SDPParseError) { offer = try SessionDescription(parsing: text) } catch { throw .malformed(error) }
    let media = try AcceptedMedia(offer, purpose: purpose, support: support)
    // A section that is only bundled may leave these to the first one (RFC 9143 section 7.1.3).
    let transport = try OfferedTransport(offer, sections: media.order + media.bundle)
    self.purpose = purpose
    description = offer
    ice = transport.ice
    fingerprint = transport.fingerprint
    audio = media.audio
    video = media.video
    order = media.order
    isBundled = !media.bundle.isEmpty
    rejections = media.refusals.sorted { $0.key < $1.key }.compactMap { $1.sentence(about: offer.media[$0]) }
    isTrickling = transport.isTrickling
    format = media.format
    sendSSRCs = media.ssrcs
    sendLayers = media.layers.map(\.forwarded)
    let flags = TrackFlags(audio: media.audio != nil, video: media.video != nil)
    publishes = purpose == .publish ? flags : .none
    receives = purpose == .play ? flags : .none
  }
}
