/// What became of the packets of a short time.
struct LossObservation {
  /// In bits per second.
  var sentRate: Double
  var packetCount: Double
  /// Share of packets lost, 0 to 1.
  var loss: Double
  /// Whether packets waited on the way meanwhile.
  var isDelayed: Bool

  var deliveredRate: Double { sentRate * (1 - loss) }
}
