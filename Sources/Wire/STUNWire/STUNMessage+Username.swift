import MediaBase

extension STUNMessage {
  /// Where the receiver's part of a Binding request's USERNAME lies (RFC 8445 section 7.2.2: before the colon), without
  /// looking at anything else: what a server does first with a datagram from an address that it does not know. `nil` if
  /// this is no such request.
  public static func receiverUsernameFragment(in bytes: RawSpan) -> Range<Int>? {
    guard bytes.byteCount >= 20, bytes.uint16(at: 0) == bindingMethod, bytes.uint32(at: 4) == stunMagicCookie,
      Int(bytes.uint16(at: 2)) &+ 20 == bytes.byteCount
    else { return nil }
    var offset = 20
    while offset &+ 4 <= bytes.byteCount {
      let type = bytes.uint16(at: offset)
      let end = offset &+ 4 &+ Int(bytes.uint16(at: offset &+ 2))
      guard end <= bytes.byteCount, type != STUNAttributeType.messageIntegrity else { return nil }
      if type == STUNAttributeType.username {
        let start = offset &+ 4
        var colon = start
        while colon < end, bytes.uint8(at: colon) != UInt8(ascii: ":") { colon &+= 1 }
        return colon < end ? start..<colon : nil
      }
      offset = (end &+ 3) & ~3
    }
    return nil
  }

  /// Whether USERNAME is the two names with a colon between them; without `sender`, whatever is behind the colon. `bytes` is
  /// the datagram that was parsed.
  public func isUsername(_ receiver: String, _ sender: String?, in bytes: RawSpan) -> Bool {
    guard let range = usernameRange else { return false }
    let colon = range.lowerBound &+ receiver.utf8.count
    guard colon < range.upperBound, bytes.uint8(at: colon) == UInt8(ascii: ":"),
      bytes.equals(receiver, at: range.lowerBound..<colon)
    else { return false }
    return sender.map { bytes.equals($0, at: colon &+ 1..<range.upperBound) } ?? true
  }
}

extension RawSpan {
  /// Whether the bytes of `range` are the text in UTF-8.
  fileprivate func equals(_ text: String, at range: Range<Int>) -> Bool {
    guard text.utf8.count == range.count else { return false }
    var offset = range.lowerBound
    for byte in text.utf8 {
      guard uint8(at: offset) == byte else { return false }
      offset &+= 1
    }
    return true
  }

  /// Whether the bytes of `range` are UTF-8.
  func isText(_ range: Range<Int>) -> Bool {
    let isASCII = range.allSatisfy { uint8(at: $0) < 0x80 }
    return isASCII || String(validating: copy(range), as: UTF8.self) != nil
  }
}
