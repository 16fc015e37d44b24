public import ControlWire

/// A way to tell the server what a call has cost and how good it was, for its record of the call. A `SignalClient` may be
/// one too.
public protocol CallReporting: AnyObject, Sendable {
  /// Reports on a call of this user.
  ///
  /// - Parameters:
  ///   - report: its `requestID` does not matter.
  ///   - completion: gets `nil` once the server has it.
  func report(_ report: ReportRequest, completion: @escaping @Sendable (SignalError?) -> Void)
}
