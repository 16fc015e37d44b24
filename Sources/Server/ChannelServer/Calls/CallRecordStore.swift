public import CallSupervision

/// Where records of calls are kept. Called from the server's threads; nothing may block them.
public protocol CallRecordStore: Sendable {
  /// Keeps a record, in place of an earlier one of the same call.
  func save(_ record: CallRecord)

  /// Finds the record of a call; `then` gets `nil` if there is none, on any thread.
  func find(_ callID: String, then: @escaping @Sendable (CallRecord?) -> Void)

  /// Finds the newest records, of one user or of all; `then` gets them, newest first, on any thread.
  func list(user: UInt?, limit: Int, then: @escaping @Sendable ([CallRecord]) -> Void)

  /// Finds records of calls that have not ended, at most `limit`; `then` gets them on any thread.
  func findOpen(limit: Int, then: @escaping @Sendable ([CallRecord]) -> Void)

  /// How many changes of records could not be kept, for want of space for example.
  var lostCount: UInt64 { get }

  /// Writes what waits. Returns when that is done; later calls do nothing.
  func close()
}

extension CallRecordStore {
  /// Unknown, therefore none.
  public var lostCount: UInt64 { 0 }

  /// None: calls that were open when a server ended stay open in the records of a store that cannot find them.
  public func findOpen(limit: Int, then: @escaping @Sendable ([CallRecord]) -> Void) { then([]) }
}
