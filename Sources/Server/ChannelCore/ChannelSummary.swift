import ControlWire

/// A channel and who is in it, for lists.
public struct ChannelSummary: Hashable, Codable, Sendable {
  /// Its name.
  public var name: String
  /// Users that others see, by rising uid.
  public var broadcasters: [UInt]
  /// All users.
  public var userCount: Int
}

extension ChannelDirectory {
  /// All live channels, by name. Communication channels are private: who knows the name of a call's could listen in.
  var summaries: [ChannelSummary] {
    channels.filter { $0.value.profile == .liveBroadcasting }.map { name, channel in
      ChannelSummary(
        name: name, broadcasters: channel.visibleClients.keys.sorted(), userCount: channel.clients.count)
    }.sorted { $0.name < $1.name }
  }
}
