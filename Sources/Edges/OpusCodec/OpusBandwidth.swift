/// The highest frequencies that an encoder keeps (RFC 6716 section 2.1.3).
public enum OpusBandwidth: Hashable, Sendable {
  /// Up to 8 kHz, as if sampled at 16 kHz.
  case wide
  /// Up to 12 kHz, as if sampled at 24 kHz.
  case superwide
  /// Up to 20 kHz.
  case full
}
