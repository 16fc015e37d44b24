/// The last calls that are over for this user: a message of theirs may still come, late or again.
///
/// Everybody may call, so what others can add has places of its own: however many of them call or give up, the calls that
/// this user has taken part in are remembered. A call is named by its id and by who it was with: nobody can declare
/// another's call over.
struct EndedCalls: Sendable {
  private struct Call: Hashable {
    var peer: UInt
    var callID: String
  }

  /// Calls that this user made, or that rang here.
  private var own: [Call] = []
  /// Calls that were refused, or that were given up before they came.
  private var others: [Call] = []

  /// Most of the former that are remembered: more than may ring (`CallAllowance.ringing`) while a text is worth delivering.
  static let ownLimit = 128
  /// Most of the latter.
  static let limitOfOthers = 16

  /// Whether a call with `peer` is over. A call without an id never is.
  func contains(_ callID: String, with peer: UInt) -> Bool {
    containsOwn(callID, with: peer) || others.contains(Call(peer: peer, callID: callID))
  }

  /// Whether a call with `peer` is over that this user has taken part in.
  func containsOwn(_ callID: String, with peer: UInt) -> Bool { own.contains(Call(peer: peer, callID: callID)) }

  /// A call that this user has taken part in is over.
  mutating func insert(_ callID: String, with peer: UInt) {
    Self.insert(Call(peer: peer, callID: callID), into: &own, limit: Self.ownLimit)
  }

  /// A call that has not rung here is over.
  mutating func insertUnheard(_ callID: String, with peer: UInt) {
    guard !contains(callID, with: peer) else { return }
    Self.insert(Call(peer: peer, callID: callID), into: &others, limit: Self.limitOfOthers)
  }

  private static func insert(_ call: Call, into calls: inout [Call], limit: Int) {
    guard !call.callID.isEmpty, !calls.contains(call) else { return }
    if calls.count >= limit { calls.removeFirst() }
    calls.append(call)
  }
}
