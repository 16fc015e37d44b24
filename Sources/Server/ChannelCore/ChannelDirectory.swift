public import ControlWire
public import MediaBase

/// Who is in which channel, who sees whom, and who gets whose media: the control plane without input and output.
///
/// Requests go in with the number of the connection they came on; messages to send and commands for the forwarding room
/// come out. Whether tokens are authentic is the caller's business: it refuses bad ones before they get here, and says
/// what the good ones grant.
public struct ChannelDirectory: Sendable {
  let configuration: ChannelDirectoryConfiguration
  let randomBytes: @Sendable (Int) -> [UInt8]
  var channels: [String: Channel] = [:]
  /// Channels that there were.
  var channelNumber: UInt64 = 0
  var members: [UInt64: ChannelMember] = [:]
  var deliveries = DeliveryQueue<ControlDelivery>()
  var mediaCommands = DeliveryQueue<MediaCommand>()
  var presences = DeliveryQueue<ChannelPresence>()
  /// When something is to be done about the token of whom.
  var tokenDeadlines = DeadlineQueue<UInt64>()
  /// Users that were looked at on the way to others: what is done grows as this does.
  var lookCount = 0
  /// Users that subscriptions name as exceptions.
  var exceptionCount = 0
  /// Whose changes wait to be told to the others.
  var noticeDeadlines = DeadlineQueue<UInt64>()

  /// Makes an empty directory.
  ///
  /// - Parameter randomBytes: returns as many unpredictable bytes as asked for; keys, passwords and SSRCs come from it.
  public init(configuration: ChannelDirectoryConfiguration, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
    self.configuration = configuration
    self.randomBytes = randomBytes
  }

  /// Channels with at least one user.
  public var channelCount: Int { channels.count }

  /// Joined users of all channels.
  public var userCount: Int { members.count }

  /// Takes a request from connection `client`.
  ///
  /// - Parameter grant: what the token in it allows; nil if there is none in it. Who joins without one may do everything.
  public mutating func receive(
    _ request: ChannelRequest, grant: ChannelGrant? = nil, from client: UInt64, now: MediaInstant
  ) {
    switch request {
    case .join(var request):
      request.subscribe = request.subscribe.ofUsers
      join(request, grant: grant ?? .unlimited, client: client, now: now)
    case .update(var request):
      request.subscribe = request.subscribe?.ofUsers
      update(request, grant: grant, client: client, now: now)
    case .streamMessage(let message): relay(message, client: client, now: now)
    case .leave:
      remove(client, reason: .quit)
      deliveries.append(ControlDelivery(client: client, response: nil, closesAfter: true))
    }
  }

  /// The user of connection `client` has new ICE credentials. Returns the server's new ones for it; `nil`, and nothing
  /// happens, if there is no such user or its credentials are none.
  public mutating func restartICE(_ ice: ICEParameters, client: UInt64) -> ICEParameters? {
    guard members[client] != nil, ice.isValid else { return nil }
    let local = iceParameters()
    mediaCommands.append(.restartICE(client: client, local: local, remote: ice))
    return local
  }

  /// Connection `client` has ended, whoever ended it. A user still joined counts as dropped.
  public mutating func clientClosed(_ client: UInt64, now: MediaInstant) { remove(client, reason: .dropped) }

  /// The next message to send, or `nil`.
  public mutating func pollDelivery() -> ControlDelivery? { deliveries.popFirst() }

  /// The next command for the forwarding room, or `nil`.
  public mutating func pollMediaCommand() -> MediaCommand? { mediaCommands.popFirst() }

  mutating func send(_ response: ChannelResponse, to client: UInt64) {
    deliveries.append(ControlDelivery(client: client, response: response))
  }

  /// Refuses a request; a connection that has not joined ends with that.
  mutating func refuse(_ error: ErrorResponse, client: UInt64) {
    deliveries.append(
      ControlDelivery(client: client, response: .error(error), closesAfter: members[client] == nil))
  }

  /// The others in `member`'s channel, by rising uid.
  mutating func others(of member: ChannelMember) -> [UInt64] {
    guard let channel = channels[member.channel] else { return [] }
    return others(of: member, among: channel.clients)
  }

  /// Those of the others in `member`'s channel whom others see, by rising uid.
  mutating func visibleOthers(of member: ChannelMember) -> [UInt64] {
    guard let channel = channels[member.channel] else { return [] }
    return others(of: member, among: channel.visibleClients)
  }

  private mutating func others(of member: ChannelMember, among clients: [UInt: UInt64]) -> [UInt64] {
    lookCount &+= clients.count
    return clients.filter { $0.value != member.client }.sorted { $0.key < $1.key }.map(\.value)
  }
}
