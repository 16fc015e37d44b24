import MediaBase

/// What the network between one user and the server does, in both directions.
public struct NetworkConditions: Sendable {
  /// From the user to the server.
  public var up: LinkConditions
  /// From the server to the user.
  public var down: LinkConditions

  /// Makes conditions; without any, those of a quiet local network.
  public init(up: LinkConditions = LinkConditions(), down: LinkConditions = LinkConditions()) {
    self.up = up
    self.down = down
  }

  /// The same for both directions.
  public init(both: LinkConditions) { self.init(up: both, down: both) }

  /// Anything from a good line to a bad one: up to 20 % loss and 5 % duplication, 5 to 80 ms one way with up to 40 ms of
  /// jitter that may reorder, and each direction by itself.
  public static func random(using random: inout SeededRandom) -> NetworkConditions {
    NetworkConditions(up: oneWay(&random), down: oneWay(&random))
  }

  private static func oneWay(_ random: inout SeededRandom) -> LinkConditions {
    LinkConditions(
      delay: .milliseconds(Int64.random(in: 5...80, using: &random)),
      jitter: .milliseconds(Int64.random(in: 0...40, using: &random)),
      loss: Double.random(in: 0...0.2, using: &random), duplication: Double.random(in: 0...0.05, using: &random),
      reorders: Bool.random(using: &random))
  }
}
