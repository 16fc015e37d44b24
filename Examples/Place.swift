import ChannelServer
import MediaEngine
import Synchronization
import SyntheticMedia

/// A server of the example's own. An application has its address instead.
final class Place: Sendable {
  let url: String
  private let server: ChannelServer

  init() throws {
    server = ChannelServer(
      configuration: ChannelServerConfiguration(
        httpHost: "127.0.0.1", httpPort: 0, udpHost: "127.0.0.1", udpPort: 0, workers: 1, development: true))
    try server.start()
    url = "ws://127.0.0.1:\(server.boundHTTPPort)"
  }

  deinit { server.stop() }

  /// How an engine is made here: a test picture for a camera, a tone for a microphone, no speaker.
  func configuration(hasDevices: Bool = true) -> RTCEngineConfiguration {
    RTCEngineConfiguration(
      server: url, videoSource: hasDevices ? TestPatternSource() : nil, audioSource: hasDevices ? ToneSource() : nil,
      videoEncoderConfiguration: VideoEncoderConfiguration(width: 320, height: 180, frameRate: 30))
  }
}

/// Where pictures are shown; here they are counted.
final class View: Sendable {
  let name: String
  private let count = Atomic<Int>(0)

  init(_ name: String) { self.name = name }

  var target: VideoCanvas.Target { .closure { [self] _ in count.add(1, ordering: .relaxed) } }

  var pictureCount: Int { count.load(ordering: .relaxed) }

  /// Waits for some more pictures.
  func showsPictures() async throws {
    let before = pictureCount
    try await eventually("\(name) shows nothing") { self.pictureCount > before + 3 }
    print("\(name) shows pictures")
  }
}

/// Something that should have come about has not.
struct Failure: Error, CustomStringConvertible {
  var description: String
}

/// Waits until something is so.
func eventually(_ problem: String, _ condition: @Sendable () -> Bool) async throws {
  for _ in 0..<3_000 {
    if condition() { return }
    try await Task.sleep(nanoseconds: 10_000_000)
  }
  throw Failure(description: problem)
}

/// A call's return code must be 0.
func check(_ what: String, _ code: Int) throws {
  guard code == 0 else { throw Failure(description: "\(what) returned \(code)") }
}
