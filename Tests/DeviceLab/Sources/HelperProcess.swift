import Glibc
import LinuxIO
import MediaBase
import ALSAAudio
import V4L2Capture

/// This program again, as another process that is in the way.
enum HelperProcess {
  static func start(_ arguments: [String], user: uid_t? = nil) throws -> ChildProcess {
    let words = try [path()] + arguments
    guard let user else { return try ChildProcess(words) }
    return try ChildProcess(["/usr/bin/setpriv", "--reuid=\(user)", "--clear-groups"] + words)
  }

  static func path() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let length = readlink("/proc/self/exe", &bytes, bytes.count)
    try check(length > 0, "the program's path is not known")
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }
}

extension DeviceLab {
  /// Uses the camera until killed.
  static func holdCamera() -> Never {
    let camera = CameraRecorder()
    do throws(MediaDeviceError) { try camera.start(320, 180) } catch { exit(1) }
    while true { sleep(1) }
  }

  /// Tries to start the camera: 13 if that is not permitted.
  static func openCamera() -> Never {
    let camera = CameraRecorder(path: "/dev/video0")
    do throws(MediaDeviceError) {
      try camera.start(320, 180)
    } catch {
      if case .noPermission = error { exit(13) }
      exit(1)
    }
    exit(0)
  }

  /// Plays a tone and records it until told by SIGTERM, then says how it went: turns, frames, interruptions of both.
  static func loopSound(_ substream: String) -> Never {
    // Before any thread is made: all of them leave the signal to this one.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let player = TonePlayer("hw:Loopback,0,\(substream)")
    let recorder = SoundRecorder("hw:Loopback,1,\(substream)")
    do throws(MediaDeviceError) {
      try player.start()
      try recorder.start()
    } catch {
      print("failed \(error)")
      exit(1)
    }
    print("ready")
    fflush(nil)
    var signal: Int32 = 0
    sigwait(&set, &signal)
    // Until the sound is whole again: the guest may be slow.
    try? wait("the tone", seconds: 20) { Tone.measure(Array(recorder.samples.suffix(12_000))).rest < -30 }
    recorder.source.stop()
    player.playout.stop()
    let times = recorder.times
    let rises = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    let tone = Tone.measure(Array(recorder.samples.suffix(12_000)))
    print(
      "\(player.turns) \(times.count) \(player.playout.statistics.interruptions) "
        + "\(recorder.source.statistics.interruptions) \(rises) \(Int(tone.frequency.rounded())) \(Int(tone.rest))")
    fflush(nil)
    exit(0)
  }
}
