import ControlWire
public import MediaBase
import RTPSession

extension ConnectionCore {
  /// What sound takes of the path, with all headers, in bits per second.
  private static let audioBitrate = 60_000
  /// The share of a video packet that is no header.
  private static let payloadShare = 0.93
  private static let leastVideoBitrate = 30_000

  /// What the user's pictures take at most, in bits per second: how far the path is tried.
  public mutating func setVideoDemand(_ bitrate: Int, now: MediaInstant) {
    videoDemand = min(max(bitrate, 0), 100_000_000)
    tellDemand(now: now)
    drainPath(now: now)
  }

  /// How much pictures may take now, in bits per second, before any header: what the path carries, less sound, headers and
  /// what is sent again. `nil` while nothing is known of the path, and while no pictures are sent.
  public var videoBitrate: Int? {
    guard publishing.video, let total = sendBitrate else { return nil }
    let rest = Double(total - (publishing.audio ? Self.audioBitrate : 0)) * Self.payloadShare * (1 - inherentLossRate)
    return max(Int(rest), Self.leastVideoBitrate)
  }

  /// How much may be sent on the path, in bits per second with all headers; `nil` while nothing is known of it.
  var sendBitrate: Int? {
    switch path {
    case .some(let path): path.session.sendBitrate
    case .none: nil
    }
  }

  private var inherentLossRate: Double {
    switch path {
    case .some(let path): path.session.inherentLossRate
    case .none: 0
    }
  }

  /// Finds out what the path carries while the first picture is still being made.
  mutating func probePath(now: MediaInstant) {
    guard isMediaOpen, publishing.video else { return }
    tellDemand(now: now)
    path?.session.startProbing(now: now)
  }

  private mutating func tellDemand(now: MediaInstant) {
    guard publishing.video else { return }
    let headers = Double(videoDemand) / Self.payloadShare
    path?.session.setSendDemand(Int(headers) + Self.audioBitrate, now: now)
  }
}
