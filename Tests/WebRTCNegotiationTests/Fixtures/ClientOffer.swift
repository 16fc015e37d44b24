import Testing
import WebRTCNegotiation

/// An offer as a client makes it: captured from it, or, where the name says so, made by hand after its source code.
struct ClientOffer: Sendable, CustomTestStringConvertible {
  var name: String
  var purpose: WebRTCOffer.Purpose
  /// With line ends as on the wire.
  var text: String

  init(_ name: String, _ purpose: WebRTCOffer.Purpose, _ text: String) {
    self.name = name
    self.purpose = purpose
    self.text = text.split(separator: "\n").map { $0 + "\r\n" }.joined()
  }

  var testDescription: String { name }

  func parsed(support: WebRTCOffer.Support = []) throws(WebRTCOfferError) -> WebRTCOffer {
    try WebRTCOffer(parsing: text, purpose: purpose, support: support)
  }

  static let all = [
    chromiumPublish, chromiumSimulcast, chromiumPlay, firefoxPublish, firefoxSimulcast, firefoxPlay, aiortcPublish,
    aiortcPlay, gstreamerPublish, gstreamerUnbundled, gstreamerPlay, safariPublish, obsPublish, ffmpegPublish,
  ]
}
