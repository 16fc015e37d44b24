import MediaBase

/// A packet that has arrived, as both sides saw it.
struct AcknowledgedPacket {
  /// On this side's clock.
  var sentAt: MediaInstant
  /// On the other side's clock, without its wraps.
  var arrival: MediaInstant
  var byteCount: Int
  /// The probe that it was part of; 0 for none.
  var cluster: UInt8
}
