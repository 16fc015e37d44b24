public import MediaBase

/// What a simulated network path does to datagrams.
public struct LinkConditions: Sendable {
  /// One-way time of an undisturbed datagram.
  public var delay: MediaDuration
  /// Added to `delay`, uniformly from nothing to this. Datagrams overtake each other only if `reorders`.
  public var jitter: MediaDuration
  /// Share of datagrams that never arrive, 0...1.
  public var loss: Double
  /// Share of datagrams that arrive twice, 0...1.
  public var duplication: Double
  /// Whether jitter may change the order of datagrams.
  public var reorders: Bool
  /// Bits per second that pass; `nil` for no limit.
  public var bitsPerSecond: Int?
  /// Longest wait for the line before datagrams are dropped; only with `bitsPerSecond`.
  public var queueLimit: MediaDuration

  /// Makes conditions; the defaults are those of a quiet local network.
  public init(
    delay: MediaDuration = .milliseconds(1), jitter: MediaDuration = .zero, loss: Double = 0, duplication: Double = 0,
    reorders: Bool = false, bitsPerSecond: Int? = nil, queueLimit: MediaDuration = .milliseconds(300)
  ) {
    self.delay = delay
    self.jitter = jitter
    self.loss = loss
    self.duplication = duplication
    self.reorders = reorders
    self.bitsPerSecond = bitsPerSecond
    self.queueLimit = queueLimit
  }
}

extension LinkConditions: CustomStringConvertible {
  /// The numbers that matter most, for people.
  public var description: String {
    "\(delay.milliseconds) ms + 0...\(jitter.milliseconds) ms\(reorders ? " reordering" : ""),"
      + " \(Int(loss * 100)) % lost, \(Int(duplication * 100)) % twice"
  }
}
