/// Arithmetic of times: what does not fit stays at the end of the range, so that "never" does not become "long ago".
@usableFromInline enum SaturatingArithmetic {
  @inlinable static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (result, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b < 0 ? .min : .max) : result
  }

  @inlinable static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    let (result, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? (b < 0 ? .max : .min) : result
  }

  @inlinable static func product(_ a: Int64, _ b: Int64) -> Int64 {
    let (result, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? .max : .min) : result
  }
}
