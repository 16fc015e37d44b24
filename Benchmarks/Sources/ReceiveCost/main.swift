// What an engine that receives four videos of 640x360 costs, beside bare decoders of pictures that came from the
// same server just before.
//
// Server and publisher are another process, this program itself as `stage`, so that the processor time of this one is the
// receiving engine's alone: network, reordering, decryption, decoding, and telling the application. Pictures are recorded
// before it is measured: memory that grows by every picture would cost the engine's threads a system call for each.
import BenchmarkSupport
import Foundation
import LinuxIO
import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia
import VPXCodec

let userCount = 4
let recordedSeconds = 10
let seconds = 15

if CommandLine.arguments.dropFirst().first == "stage" {
  try runStage()
} else {
  measure()
}

/// One camera, encoded once, published by four users of a channel until standard input ends.
func runStage() throws {
  let stage = try BenchmarkStage()
  let engine = stage.engine(video: TestPatternSource())
  for uid in 1...UInt(userCount) {
    engine.joinChannelEx(
      token: nil, connection: RTCConnection(channelID: "show", localUID: uid), delegate: nil,
      options: BenchmarkStage.broadcaster)
  }
  print(stage.url)
  fflush(nil)
  while readLine() != nil {}
  engine.destroy()
}

/// Everything that came, of each user from its first key frame on, in the order of its coming.
final class Recording: Sendable {
  private let frames = Mutex<[RemoteEncodedVideoFrame]>([])
  private let begun = Mutex<Set<UInt>>([])

  func add(_ remote: RemoteEncodedVideoFrame) {
    let isWanted = begun.withLock { begun in
      if remote.frame.isKeyFrame { begun.insert(remote.uid) }
      return begun.contains(remote.uid)
    }
    if isWanted { frames.withLock { $0.append(remote) } }
  }

  var all: [RemoteEncodedVideoFrame] { frames.withLock { $0 } }
}

/// Decodes what was recorded, one decoder for each user; what that takes, and for how many pictures. At the pace at which it
/// came, as any receiver has to; or all at once, with nothing but pictures in the processor's caches.
func decode(_ frames: [RemoteEncodedVideoFrame], paced: Bool) -> (seconds: Double, pictures: Int) {
  var decoders: [UInt: VP8Decoder] = [:]
  for frame in frames where decoders[frame.uid] == nil { decoders[frame.uid] = try? VP8Decoder() }
  guard let first = frames.first?.receiveTime else { return (0, 0) }
  let start = MonotonicClock.now()
  let begin = ProcessStatistics.currentThreadCPUTime()
  var pictures = 0
  for frame in frames {
    if paced {
      let wait = (frame.receiveTime - first) - (MonotonicClock.now() - start)
      if wait > .zero { MonotonicClock.sleep(for: wait) }
    }
    if (try? decoders[frame.uid]?.decode(frame.frame)) != nil { pictures += 1 }
  }
  return ((ProcessStatistics.currentThreadCPUTime() - begin).seconds, pictures)
}

func measure() {
  var report = BenchmarkReport("ReceiveCost")
  let stage = Process()
  stage.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
  stage.arguments = ["stage"]
  let (input, output) = (Pipe(), Pipe())
  stage.standardInput = input
  stage.standardOutput = output
  guard (try? stage.run()) != nil else {
    report.fail("the publisher cannot be started")
    report.finish()
  }
  let url = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    .trimmingCharacters(in: .whitespacesAndNewlines)
  let engine = RTCEngine(configuration: RTCEngineConfiguration(server: url))
  let recording = Recording()
  engine.setRemoteEncodedVideoFrameObserver { recording.add($0) }
  engine.joinChannel(token: nil, channelID: "show", uid: 9, options: ChannelMediaOptions())
  let isComplete = poll(seconds: 30) {
    (engine.statistics()?.remote.count { $0.decodedVideoFrames > 30 }).flatMap { $0 == userCount ? true : nil }
  }
  if isComplete == nil { report.fail("not all users are received") }
  MonotonicClock.sleep(for: .seconds(Int64(recordedSeconds)))
  engine.setRemoteEncodedVideoFrameObserver(nil)

  // The engine.
  let before = decodedPictures(engine)
  let threads = ["rtc-network", "rtc-decode"]
  let threadsBefore = threads.map { ProcessThreads.cpuTime(named: $0) }
  let begin = ProcessStatistics.current().cpuTime
  MonotonicClock.sleep(for: .seconds(Int64(seconds)))
  let engineTime = (ProcessStatistics.current().cpuTime - begin).seconds
  let threadTimes = zip(threads, threadsBefore).map { ProcessThreads.cpuTime(named: $0) - $1 }
  let pictures = decodedPictures(engine) - before
  engine.destroy()
  try? input.fileHandleForWriting.close()
  stage.waitUntilExit()

  let (bareTime, barePictures) = decode(recording.all, paced: true)
  let (quickTime, quickPictures) = decode(recording.all, paced: false)
  guard pictures > userCount * seconds * 20, barePictures > userCount * recordedSeconds * 20 else {
    report.fail("only \(pictures) pictures in \(seconds) s, and \(barePictures) by the decoders alone")
    report.finish()
  }
  let perPicture = engineTime / Double(pictures) * 1_000
  let barePerPicture = bareTime / Double(barePictures) * 1_000
  report.add("pictures of four users", Double(pictures) / Double(seconds), "a second")
  report.add("CPU of the engine", engineTime / Double(seconds) * 100, "% of a core")
  report.add("CPU of the engine for a picture", perPicture, "ms")
  for (name, time) in zip(threads, threadTimes) {
    report.add("of it \(name)", time.seconds / Double(pictures) * 1_000, "ms")
  }
  report.add("CPU of bare decoders for a picture, at the same pace", barePerPicture, "ms")
  report.add("CPU of bare decoders for a picture, all at once", quickTime / Double(max(1, quickPictures)) * 1_000, "ms")
  report.add("engine over bare decoders", perPicture / barePerPicture, "", limit: 1.1)
  report.finish()
}

func decodedPictures(_ engine: RTCEngine) -> Int {
  engine.statistics()?.remote.reduce(0) { $0 + $1.decodedVideoFrames } ?? 0
}
