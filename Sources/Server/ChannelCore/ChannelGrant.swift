import ControlWire
public import MediaBase

/// What a user may do in a channel, and until when.
public struct ChannelGrant: Hashable, Sendable {
  /// Whether, or until when, something is allowed.
  public enum Permission: Hashable, Sendable {
    case denied
    case until(MediaInstant)
    case unlimited

    func allows(_ now: MediaInstant) -> Bool {
      switch self {
      case .denied: false
      case .until(let end): now < end
      case .unlimited: true
      }
    }

    /// When it ends, if that lies ahead.
    func end(after now: MediaInstant) -> MediaInstant? {
      if case .until(let end) = self, end > now { end } else { nil }
    }
  }

  /// To be in the channel; `denied` counts as an end that has come.
  public var join: Permission
  /// To publish sound.
  public var publishAudio: Permission
  /// To publish video.
  public var publishVideo: Permission
  /// To send messages on data streams.
  public var publishData: Permission

  /// Makes a grant.
  public init(join: Permission, publishAudio: Permission, publishVideo: Permission, publishData: Permission) {
    self.join = join
    self.publishAudio = publishAudio
    self.publishVideo = publishVideo
    self.publishData = publishData
  }

  /// Everything, for ever.
  public static let unlimited = ChannelGrant(
    join: .unlimited, publishAudio: .unlimited, publishVideo: .unlimited, publishData: .unlimited)

  /// Whether sound or video may be published, be it for a while.
  public var allowsPublishing: Bool { publishAudio != .denied || publishVideo != .denied }

  /// What may be published.
  func publishable(_ now: MediaInstant) -> TrackFlags {
    TrackFlags(audio: publishAudio.allows(now), video: publishVideo.allows(now))
  }

  /// Whether there is anything that only a broadcaster may do.
  func allowsBroadcasting(_ now: MediaInstant) -> Bool { publishable(now) != .none || publishData.allows(now) }

  /// The next moment at which something ends.
  func nextEnd(after now: MediaInstant) -> MediaInstant? {
    let ends = [join, publishAudio, publishVideo, publishData].map { $0.end(after: now) }
    return ends.reduce(nil) { .earliest($0, $1) }
  }
}
