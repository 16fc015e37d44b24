import ALSAAudio
import Glibc
import V4L2Capture

/// What the host and the caller publish.
struct DemoMedia: Codable, Sendable {
  /// `--video` and `--audio` of one participant.
  struct Source: Codable, Sendable {
    var video: String
    var audio: String
    static let none = Source(video: "none", audio: "none")
  }

  var host: Source
  var caller: Source

  static let help = "auto, camera, clips or pattern"

  /// Chooses by the name: `auto` takes what a machine has, best first.
  init(_ choice: String) throws(CommandError) {
    let pattern = Source(video: "pattern", audio: "tone")
    let hasClips = ["host.y4m", "host.wav", "caller.y4m", "caller.wav"].allSatisfy {
      access(".media/\($0)", R_OK) == 0
    }
    let clips = ["host", "caller"].map { Source(video: ".media/\($0).y4m", audio: ".media/\($0).wav") }
    let others = hasClips ? clips : [pattern, pattern]
    switch choice {
    case "pattern": (host, caller) = (pattern, pattern)
    case "clips":
      guard hasClips else {
        throw .failure("There are no clips in .media here; `make setup` fetches them, or use --media pattern.")
      }
      (host, caller) = (clips[0], clips[1])
    case "camera", "auto":
      let hasCamera = !CameraDevice.list().isEmpty
      let hasMicrophone = !AudioDevices.microphones().isEmpty
      guard hasCamera || choice == "auto" else {
        throw .failure("There is no camera here; use --media clips or --media pattern.")
      }
      host = Source(
        video: hasCamera ? "camera" : others[0].video, audio: hasMicrophone ? "mic" : others[0].audio)
      caller = others[1]
    default: throw .usage("--media is '\(choice)', but must be \(Self.help).")
    }
  }

  /// What a participant publishes.
  func source(of role: DemoRole) -> Source {
    switch role {
    case .host: host
    case .caller: caller
    case .viewer1, .viewer2: .none
    }
  }
}
