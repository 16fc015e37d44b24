import ALSAAudio
import Glibc
import LinuxIO
import MediaBase
import Testing

@testable import V4L2Capture

/// Tests with a camera and a sound card. They are skipped on machines that have none; `scripts/device-vm` runs them in a
/// guest with virtual ones.
@Suite(.serialized) struct RealDeviceTests {
  private static let hasCamera = !CameraDevice.list().isEmpty
  private static let hasLoopback = AudioDevices.microphones().contains { $0.name == "plughw:CARD=Loopback,DEV=1" }

  @Test(.enabled(if: hasCamera))
  func `a camera delivers pictures of the wanted size with rising capture times`() async throws {
    let camera = CameraSource()
    let frames = Collected<VideoFrame>()
    let failures = Collected<MediaDeviceError>()
    let format = VideoCaptureFormat(width: 320, height: 180, frameRate: 30)
    for _ in 0..<2 {
      let before = frames.all.count
      let start = MonotonicClock.now()
      try camera.start(format: format, sink: { frames.add($0) }, onFailure: { failures.add($0) })
      #expect(await eventually { frames.all.count >= before + 5 })
      camera.stop()
      let settled = frames.all.count
      let times = frames.all[before..<settled].map(\.captureTime)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      #expect(times.allSatisfy { $0 >= start - .milliseconds(100) && $0 <= MonotonicClock.now() })
      MonotonicClock.sleep(for: .milliseconds(100))
      #expect(frames.all.count == settled)
    }
    #expect(frames.all.allSatisfy { $0.width == 320 && $0.height == 180 })
    #expect(frames.all.allSatisfy { hasContrast($0) })
    #expect(failures.all.isEmpty)
  }

  @Test(.enabled(if: hasCamera), arguments: CameraPixelFormat.allCases)
  func `every layout becomes the same picture`(layout: CameraPixelFormat) async throws {
    let path = try #require(CameraDevice.list().first?.path)
    let camera = try CameraHandle(path: path)
    try camera.configure(VideoCaptureFormat(width: 640, height: 360, frameRate: 30), layouts: [layout])
    try camera.startStreaming()
    let pool = VideoFramePool()
    var frame: VideoFrame?
    let isTaken = await eventually {
      guard case .picture(let index, let byteCount, let time) = try? camera.dequeue() else { return false }
      frame = camera.picture(index: index, byteCount: byteCount, time: time, pool: pool)
      return frame != nil
    }
    #expect(isTaken)
    let taken = try #require(frame)
    #expect(taken.width == 640 && taken.height == 360)
    // The driver's test picture: colour bars from white at the left to black at the right, all grey levels falling.
    let luma = [1, 3, 5, 7, 9, 11, 13, 15].map { position in
      Int((taken.planeY + taken.strideY * 300)[taken.width * position / 16])
    }
    #expect(luma == luma.sorted(by: >), "\(luma)")
    #expect(luma[0] > 150 && luma[7] < 60, "\(luma)")
  }

  @Test(.enabled(if: hasCamera))
  func `a camera in use is told with its holder`() async throws {
    let format = VideoCaptureFormat(width: 320, height: 180, frameRate: 30)
    let (first, second) = (CameraSource(), CameraSource())
    try first.start(format: format, sink: { _ in }, onFailure: { _ in })
    let error = #expect(throws: MediaDeviceError.self) {
      try second.start(format: format, sink: { _ in }, onFailure: { _ in })
    }
    first.stop()
    guard case .busy(_, let holder?) = error else {
      Issue.record("got \(String(describing: error))")
      return
    }
    #expect(holder.contains("(\(getpid()))"))
    try second.start(format: format, sink: { _ in }, onFailure: { _ in })
    second.stop()
  }

  @Test(.enabled(if: hasLoopback))
  func `what the speaker plays is heard by the microphone`() async throws {
    let speaker = SpeakerPlayout(name: "plughw:CARD=Loopback,DEV=0")
    let microphone = MicrophoneSource(name: "plughw:CARD=Loopback,DEV=1")
    let frames = Collected<AudioFrame>()
    let failures = Collected<MediaDeviceError>()
    try speaker.start(
      fill: { samples in for index in samples.indices { samples[index] = index / 48 % 2 == 0 ? 8_000 : -8_000 } },
      onFailure: { failures.add($0) })
    try microphone.start(sink: { frames.add($0) }, onFailure: { failures.add($0) })
    let isHeard = { frames.all.contains { frame in frame.samples.allSatisfy { abs(Int($0)) > 4_000 } } }
    #expect(await eventually(isHeard))
    microphone.stop()
    speaker.stop()
    #expect(frames.all.allSatisfy { $0.frameCount == 480 && $0.sampleRate == 48_000 })
    #expect(failures.all.isEmpty)
  }

  @Test(.enabled(if: hasLoopback))
  func `sound goes on after a reader or writer was late`() async throws {
    let speaker = SpeakerPlayout(name: "plughw:CARD=Loopback,DEV=0")
    let microphone = MicrophoneSource(name: "plughw:CARD=Loopback,DEV=1", channelCount: 2)
    let (played, frames, failures) = (Collected<Int>(), Collected<AudioFrame>(), Collected<MediaDeviceError>())
    try speaker.start(
      fill: { samples in
        samples.update(repeating: 5_000)
        played.add(samples.count)
        if played.all.count == 20 { MonotonicClock.sleep(for: .milliseconds(200)) }
      }, onFailure: { failures.add($0) })
    try microphone.start(
      sink: { frame in
        frames.add(frame)
        if frames.all.count == 10 { MonotonicClock.sleep(for: .milliseconds(500)) }
      }, onFailure: { failures.add($0) })
    #expect(await eventually { frames.all.count >= 60 && played.all.count >= 60 })
    microphone.stop()
    speaker.stop()
    let times = frames.all.map(\.captureTime)
    // The gap shows in the capture times: 500 ms were not read, of which the device keeps 200.
    #expect(zip(times, times.dropFirst()).contains { $1 - $0 > .milliseconds(150) })
    #expect(frames.all.allSatisfy { $0.channelCount == 2 && $0.frameCount == 480 })
    #expect(failures.all.isEmpty)
  }

  @Test(.enabled(if: hasLoopback))
  func `a microphone in use is told`() async throws {
    // Eight recorders use up the card's substreams.
    var holders: [MicrophoneSource] = []
    var last: MediaDeviceError?
    while last == nil, holders.count < 64 {
      let microphone = MicrophoneSource(name: "plughw:CARD=Loopback,DEV=1")
      do throws(MediaDeviceError) {
        try microphone.start(sink: { _ in }, onFailure: { _ in })
        holders.append(microphone)
      } catch {
        last = error
      }
    }
    holders.forEach { $0.stop() }
    guard case .busy(_, let holder) = last else {
      Issue.record("got \(String(describing: last))")
      return
    }
    #expect(holder?.contains("(\(getpid()))") == true)
  }

  private func hasContrast(_ frame: VideoFrame) -> Bool {
    let row = UnsafeBufferPointer(start: frame.planeY + frame.strideY * (frame.height / 2), count: frame.width)
    guard let darkest = row.min(), let brightest = row.max() else { return false }
    return brightest - darkest > 50
  }
}
