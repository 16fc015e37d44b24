/// What a case found wrong.
struct LabFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Fails the case unless `condition` holds.
func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw LabFailure(message()) }
}
