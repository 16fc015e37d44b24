/// The header extensions that the server understands.
enum HeaderExtensionURI {
  /// RFC 6464.
  static let audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
  /// draft-holmer-rmcat-transport-wide-cc-extensions-01.
  static let transportSequence = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
}
