import EngineCore
import MediaBase
import RTPWire
import Synchronization

/// Takes the application's encoded pictures and gives them to the network thread, in order, with times that grow.
final class EncodedVideoDesk: Sendable {
  private struct Track {
    var lastTimestamp: UInt32?
    /// Pictures that the network thread has not taken yet.
    var waiting = 0
    /// One has been refused, so that what follows it cannot be decoded.
    var needsKeyFrame = false
  }

  /// So many pictures of a track wait for the network thread at most.
  static let longestQueue = 30
  /// What a receiver puts together is not more than this.
  static let mostBytes = 512 * 1_024

  private let tracks = Mutex<[Int: Track]>([:])

  /// Which tracks the application has.
  func setTracks(_ ids: Set<Int>) {
    tracks.withLock { tracks in
      tracks = tracks.filter { ids.contains($0.key) }
      for id in ids where tracks[id] == nil { tracks[id] = Track() }
    }
  }

  /// Takes a picture that has come at `now`. `send` is called if it is good, in the order of the pictures; `taken` is to
  /// follow when the network thread has it.
  func push(
    _ data: [UInt8], _ info: EncodedVideoFrameInfo, track id: Int, now: MediaInstant,
    send: (EncodedVideoFrame) -> Void
  ) -> EngineErrorCode {
    guard info.codecType == .vp8 else { return .notSupported }
    guard data.count <= Self.mostBytes else { return .sizeTooLarge }
    let time = info.captureTime == .zero ? now : info.captureTime
    guard time.isNear(now), let header = try? VP8FrameHeader(parsing: data.span.bytes), !header.isEncrypted,
      !header.isKeyFrame || header.width > 0 && header.height > 0
    else { return .invalidArgument }
    return tracks.withLock { tracks in
      guard var track = tracks[id] else { return .invalidArgument }
      defer { tracks[id] = track }
      guard track.waiting < Self.longestQueue, header.isKeyFrame || !track.needsKeyFrame else {
        track.needsKeyFrame = true
        return .tooOften
      }
      track.needsKeyFrame = false
      track.waiting += 1
      let timestamp = time.videoTimestamp(after: track.lastTimestamp)
      track.lastTimestamp = timestamp
      send(
        EncodedVideoFrame(
          data: data, isKeyFrame: header.isKeyFrame, timestamp: timestamp, captureTime: time, width: header.width,
          height: header.height))
      return .ok
    }
  }

  /// The network thread has taken a picture.
  func taken(_ id: Int) { tracks.withLock { $0[id]?.waiting -= 1 } }
}

extension MediaInstant {
  /// The capture time on the 90 kHz clock (RFC 7741 section 4.1); always later than the one before.
  func videoTimestamp(after last: UInt32?) -> UInt32 {
    let timestamp = UInt32(truncatingIfNeeded: nanoseconds / 1_000 * 9 / 100)
    guard let last, Int32(bitPattern: timestamp &- last) <= 0 else { return timestamp }
    return last &+ 1
  }
}
