public import MediaBase

/// When the steps on the way to each user's first picture on one connection happened.
public struct RenderingTraceBook: Sendable {
  private struct Marks: Sendable {
    var userJoined: MediaInstant?
    var viewSet: MediaInstant?
    var subscribed: MediaInstant?
    var packetReceived: MediaInstant?
    var reported: Set<MediaTraceEvent> = []
  }

  private var start: MediaInstant
  private let join: MediaInstant
  private var joined: MediaInstant?
  private var users: [UInt: Marks] = [:]

  /// Tracing begins with the join call.
  public init(join: MediaInstant) {
    start = join
    self.join = join
  }

  /// Tracing begins anew, for users whose first picture is still to come.
  public mutating func restart(now: MediaInstant) { start = now }

  /// The local user is in the channel.
  public mutating func connectionJoined(now: MediaInstant) { joined = joined ?? now }

  /// A user has appeared.
  public mutating func userJoined(_ uid: UInt, now: MediaInstant) { users[uid, default: Marks()].userJoined = now }

  /// A canvas has been bound for a user, who need not be there yet.
  public mutating func viewSet(_ uid: UInt, now: MediaInstant) {
    users[uid, default: Marks()].viewSet = users[uid]?.viewSet ?? now
  }

  /// A user's published video is wanted.
  public mutating func subscribed(_ uid: UInt, now: MediaInstant) {
    guard let marks = users[uid], marks.subscribed == nil else { return }
    users[uid]?.subscribed = now
  }

  /// A user's first packet of video has come.
  public mutating func packetReceived(_ uid: UInt, now: MediaInstant) {
    guard let marks = users[uid], marks.packetReceived == nil else { return }
    users[uid]?.packetReceived = now
  }

  /// A user has gone: the next first picture is another one.
  public mutating func userOffline(_ uid: UInt) { users[uid] = nil }

  /// A picture has been decoded or shown; what its way was, if it is the user's first.
  public mutating func finish(_ uid: UInt, _ event: MediaTraceEvent, now: MediaInstant) -> VideoRenderingTracingInfo? {
    guard let marks = users[uid], !marks.reported.contains(event) else { return nil }
    users[uid]?.reported.insert(event)
    var info = VideoRenderingTracingInfo()
    info.elapsedTime = segment(from: start, to: now)
    info.start2JoinChannel = segment(from: start, to: join)
    info.join2JoinSuccess = segment(from: max(join, start), to: joined)
    info.joinSuccess2RemoteJoined = segment(from: later(joined), to: marks.userJoined)
    let appearance = later(marks.userJoined)
    info.remoteJoined2SetView = segment(from: appearance, to: marks.viewSet)
    info.remoteJoined2UnmuteVideo = segment(from: appearance, to: marks.subscribed)
    info.remoteJoined2PacketReceived = segment(from: appearance, to: marks.packetReceived)
    return info
  }

  private func later(_ instant: MediaInstant?) -> MediaInstant? { instant.map { max($0, start) } }

  private func segment(from: MediaInstant?, to: MediaInstant?) -> Int {
    guard let from, let to, to > from else { return 0 }
    return Int((to - from).milliseconds)
  }
}
