extension String {
  /// As much of the beginning as has at most so many bytes of UTF-8, without a half character of Unicode at its end. What people
  /// take for one character may have any number of bytes.
  public func prefix(byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: max(byteCount, 0))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}
