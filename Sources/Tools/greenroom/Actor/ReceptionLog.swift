import LinuxIO
import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia

/// Writes down when each picture and each audible piece of sound came, and keeps the newest picture of each user.
final class ReceptionLog: Sendable {
  private struct Key: Hashable {
    var channel: String
    var uid: UInt
  }

  private struct Reception {
    var record: ReceptionRecord
    var newest: VideoFrame?
  }

  private let receptions = Mutex<[Key: Reception]>([:])
  private let localPicture = Mutex<(frame: VideoFrame, time: MediaInstant)?>(nil)
  private let onBegin: @Sendable (ActorReport.Kind, _ channel: String, _ uid: UInt) -> Void

  /// Media after so long without begins anew; a picture that is older is not what a user sees now.
  private static let gap = MediaDuration.milliseconds(500)
  /// Samples this far from zero are no silence.
  private static let audibleLevel = 200

  /// - Parameter onBegin: called with a user's first picture or sound, and with the first after a gap.
  init(onBegin: @escaping @Sendable (ActorReport.Kind, _ channel: String, _ uid: UInt) -> Void) {
    self.onBegin = onBegin
  }

  /// Takes the engine's observers.
  func attach(to engine: RTCEngine) {
    engine.setRemoteVideoFrameObserver { [self] in receive($0) }
    engine.setAudioFrameObserver { [self] in receive($0) }
    engine.setLocalVideoFrameObserver { [self] frame in
      localPicture.withLock { $0 = (frame, MonotonicClock.now()) }
    }
  }

  private func receive(_ remote: RemoteVideoFrame) {
    let now = MonotonicClock.now()
    let captured = FrameClock.read(remote.frame)?.nanoseconds ?? -1
    let (channel, uid) = (remote.connection.channelID, remote.uid)
    let begins = change(channel, uid) { reception in
      defer {
        reception.record.pictures.append(now.nanoseconds)
        reception.record.captures.append(captured)
        reception.newest = remote.frame
      }
      return Self.begins(after: reception.record.pictures.last, now)
    }
    if begins { onBegin(.picturesBegin, channel, uid) }
  }

  private func receive(_ observed: ObservedAudioFrame) {
    guard case .beforeMixing(let connection, let uid) = observed.position,
      observed.frame.samples.contains(where: { abs(Int($0)) > Self.audibleLevel })
    else { return }
    let now = MonotonicClock.now()
    let begins = change(connection.channelID, uid) { reception in
      defer { reception.record.sounds.append(now.nanoseconds) }
      // Speech has pauses: only what was silent for long begins anew.
      return reception.record.sounds.last.map { now.nanoseconds - $0 > 2_000_000_000 } ?? true
    }
    if begins { onBegin(.soundBegins, connection.channelID, uid) }
  }

  private func change<Result>(_ channel: String, _ uid: UInt, _ body: (inout Reception) -> Result) -> Result {
    receptions.withLock {
      body(
        &$0[Key(channel: channel, uid: uid), default: Reception(record: ReceptionRecord(channel: channel, uid: uid))])
    }
  }

  private static func begins(after last: Int64?, _ now: MediaInstant) -> Bool {
    last.map { now - MediaInstant(nanoseconds: $0) > gap } ?? true
  }

  /// What has come so far.
  var records: [ReceptionRecord] {
    receptions.withLock { $0.values.map(\.record) }
      .sorted { ($0.channel, $0.uid) < ($1.channel, $1.uid) }
  }

  /// What is on the screen now: pictures that have just come, and the local one (channel "").
  func picturesNow(localUID: UInt) -> [(channel: String, uid: UInt, frame: VideoFrame)] {
    let now = MonotonicClock.now()
    var pictures = receptions.withLock { receptions in
      receptions.compactMap { key, reception in
        reception.newest.flatMap { frame in
          Self.begins(after: reception.record.pictures.last, now) ? nil : (key.channel, key.uid, frame)
        }
      }
    }
    if let local = localPicture.withLock({ $0 }), now - local.time <= Self.gap {
      pictures.append(("", localUID, local.frame))
    }
    return pictures
  }
}
