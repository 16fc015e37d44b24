import ForwardingCore
import SDPWire

extension AcceptedMedium {
  /// The highest number that the one-byte form has (RFC 8285 section 4.2).
  private static let lastShortID: UInt8 = 14

  /// Those of an offer's section that the server understands and that may travel the way of the purpose. Numbers that need
  /// the two-byte form are agreed to where both forms may be mixed.
  static func extensions(
    of medium: MediaDescription, allowsMixedForms: Bool, purpose: WebRTCOffer.Purpose, support: WebRTCOffer.Support,
    hasNamedLayers: Bool, wantsEstimate: Bool
  ) -> [SDPHeaderExtension] {
    var known: [SDPHeaderExtension] = []
    for offered in medium.headerExtensions where offered.id <= lastShortID || allowsMixedForms {
      let direction = offered.direction ?? .sendrecv
      guard
        isKnown(offered.uri, in: medium, purpose: purpose, support)
          || hasNamedLayers && namesLayers(offered.uri)
          || wantsEstimate && offered.uri == HeaderExtensionURI.sendTime,
        purpose == .publish ? direction.sends : direction.receives,
        !known.contains(where: { $0.id == offered.id || $0.uri == offered.uri })
      else { continue }
      known.append(offered)
    }
    return known
  }

  /// By these a publisher's packets tell which encoding they are of (RFC 8853 section 5.5).
  private static func namesLayers(_ uri: String) -> Bool {
    [HeaderExtensionURI.mediaID, HeaderExtensionURI.restrictionID, HeaderExtensionURI.repairedRestrictionID]
      .contains(uri)
  }

  private static func isKnown(
    _ uri: String, in medium: MediaDescription, purpose: WebRTCOffer.Purpose, _ support: WebRTCOffer.Support
  ) -> Bool {
    let isAudio = medium.kind == "audio"
    return switch uri {
    case HeaderExtensionURI.audioLevel: isAudio
    case HeaderExtensionURI.transportSequence: support.contains(.transportCC)
    case HeaderExtensionURI.captureTime: true
    case HeaderExtensionURI.sendTime: purpose == .play
    case HeaderExtensionURI.playoutDelay: purpose == .play && !isAudio
    case HeaderExtensionURI.orientation: !isAudio && (purpose == .play || support.contains(.orientation))
    case HeaderExtensionURI.mediaID: medium.identification.map { MediaIDText($0) != nil } ?? false
    default: false
    }
  }
}

extension AcceptedMedia {
  /// What packets carry beside the audio level and the transport-wide number.
  var extensions: ForwardedExtensions {
    let accepted = [audio, video].compactMap { $0 }
    func id(_ uri: String) -> UInt8 { accepted.map { $0.extensionID(uri) }.max() ?? 0 }
    var extensions = ForwardedExtensions()
    extensions.sendTimeID = id(HeaderExtensionURI.sendTime)
    extensions.playoutDelayID = id(HeaderExtensionURI.playoutDelay)
    extensions.captureTimeID = id(HeaderExtensionURI.captureTime)
    extensions.orientationID = id(HeaderExtensionURI.orientation)
    extensions.usesTwoByteForm = accepted.contains { $0.extensions.contains { $0.id > 14 } }
    return extensions
  }

  /// What packets to a player say of their medium.
  func nameMedia(_ extensions: inout ForwardedExtensions) {
    extensions.receivedMediaIDID = mediaIDExtensionID
    extensions.audioMediaID = mediaID(of: audio)
    extensions.videoMediaID = mediaID(of: video)
  }

  /// The number of the `mid` extension.
  var mediaIDExtensionID: UInt8 {
    [audio, video].compactMap { $0?.extensionID(HeaderExtensionURI.mediaID) }.max() ?? 0
  }

  private func mediaID(of medium: AcceptedMedium?) -> MediaIDText {
    guard let medium, medium.extensionID(HeaderExtensionURI.mediaID) != 0 else { return MediaIDText() }
    return medium.identification.flatMap { MediaIDText($0) } ?? MediaIDText()
  }
}
