import ControlWire

extension Subscription {
  /// Users that are named as exceptions.
  var exceptionCount: Int { users.count + (layers?.count ?? 0) }

  /// Without exceptions for what is no user: such names could have any length, and be kept for nothing.
  var ofUsers: Subscription {
    var copy = self
    if !users.keys.allSatisfy(Self.isUser) { copy.users = users.filter { Self.isUser($0.key) } }
    if let layers, !layers.keys.allSatisfy(Self.isUser) { copy.layers = layers.filter { Self.isUser($0.key) } }
    return copy
  }

  private static func isUser(_ name: String) -> Bool {
    // As `wanted(of:)` looks for it.
    UInt(name).map { ControlProtocol.isValidUID($0) && String($0) == name } ?? false
  }
}

/// How much memory subscriptions may take.
extension ChannelDirectory {
  /// Why a subscription cannot be kept in place of another, or `nil`.
  func problem(with new: Subscription, insteadOf old: Subscription?) -> ErrorResponse? {
    let count = exceptionCount - (old?.exceptionCount ?? 0) + new.exceptionCount
    guard new.exceptionCount > configuration.usualExceptionCount, count > configuration.maximumExceptionCount else {
      return nil
    }
    return ErrorResponse(
      code: .resourceLimited,
      message: "Too many exceptions in all subscriptions together; "
        + "name at most \(configuration.usualExceptionCount) users.")
  }

  /// A user's subscription has changed: `nil` for one who comes or goes.
  mutating func noteSubscription(_ old: Subscription?, _ new: Subscription?) {
    exceptionCount += (new?.exceptionCount ?? 0) - (old?.exceptionCount ?? 0)
  }
}
