/// The two tracks that a user can publish.
enum TrackKind: UInt8 {
  case audio
  case video

  /// Ticks of the RTP clock per second (RFC 7587 section 4.1, RFC 7741 section 4.1).
  var clockRate: Int64 { self == .audio ? 48_000 : 90_000 }
}
