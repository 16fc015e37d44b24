import EngineCore
import LinuxIO
import MediaBase

extension NetworkContext {
  func setVolumeIndication(_ settings: VolumeSettings?) {
    runtime?.volumes.set(settings)
    volumeTime = settings.map { MonotonicClock.now() + $0.interval }
    setTimer()
  }

  /// Two reports for each connection in its channel: the local user, the remote ones.
  func reportVolumesIfDue(now: MediaInstant) {
    guard let due = volumeTime, now >= due, let runtime, let settings = runtime.volumes.settings else { return }
    let next = due + settings.interval
    volumeTime = next > now ? next : now + settings.interval
    let local = runtime.volumes.takeLocal()
    for connection in connections.values.sorted(by: { $0.handle.id < $1.handle.id }) {
      let handle = connection.handle
      guard connection.core.state == .connected else { continue }
      let own = AudioVolumeInfo(uid: 0, volume: local.volume, vad: local.vad, voicePitch: local.pitch)
      runtime.tell(handle, .volumeIndication(handle.connection, [own], totalVolume: local.volume))
      let remote = runtime.volumes.report(handle.id, now: now)
      runtime.tell(handle, .volumeIndication(handle.connection, remote.speakers, totalVolume: remote.total))
      if let uid = remote.newActiveSpeaker { runtime.tell(handle, .activeSpeaker(handle.connection, uid: uid)) }
    }
  }
}
