/// Reads the fields of a token; nil where the bytes end early.
struct TokenReader {
  private let content: [UInt8]
  private var position = 0

  init(_ content: [UInt8]) { self.content = content }

  var rest: [UInt8] { Array(content[position...]) }

  mutating func number16() -> UInt16? {
    guard content.count - position >= 2 else { return nil }
    defer { position += 2 }
    return UInt16(content[position]) | UInt16(content[position + 1]) &<< 8
  }

  mutating func number32() -> UInt32? {
    guard let low = number16(), let high = number16() else { return nil }
    return UInt32(low) | UInt32(high) &<< 16
  }

  mutating func bytes() -> [UInt8]? {
    guard let count = number16().map(Int.init), content.count - position >= count else { return nil }
    defer { position += count }
    return Array(content[position..<position + count])
  }

  mutating func text() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }

  /// Ids and times; of an id that comes twice the last counts.
  mutating func privileges() -> [UInt16: UInt32]? {
    guard let count = number16() else { return nil }
    var privileges: [UInt16: UInt32] = [:]
    for _ in 0..<count {
      guard let id = number16(), let expiry = number32() else { return nil }
      privileges[id] = expiry
    }
    return privileges
  }

  /// A token's body.
  mutating func token() -> AccessToken? {
    guard let appID = text(), let issueTime = number32(), let lifetime = number32(), let salt = number32(),
      let count = number16()
    else { return nil }
    var services: [AccessTokenService] = []
    for _ in 0..<count {
      guard let type = number16() else { return nil }
      guard type == 1 || type == 2 else { break }
      guard let privileges = privileges(), let service = service(type, privileges) else { return nil }
      services.append(service)
    }
    return AccessToken(appID: appID, issueTime: issueTime, lifetime: lifetime, salt: salt, services: services)
  }

  private mutating func service(_ type: UInt16, _ privileges: [UInt16: UInt32]) -> AccessTokenService? {
    if type == 2 {
      return text().map { .signaling(SignalingTokenService(login: privileges[1], userID: $0)) }
    }
    guard let channel = text(), let userID = text() else { return nil }
    var known: [TokenPrivilege: UInt32] = [:]
    for (id, expiry) in privileges {
      if let privilege = TokenPrivilege(rawValue: id) { known[privilege] = expiry }
    }
    return .rtc(RTCTokenService(privileges: known, channel: channel, userID: userID))
  }
}
