import Glibc
import LinuxIO
import MediaBase

/// What is tried in the guest. The raw value is a sentence for the report.
enum LabCase: String, CaseIterable, Sendable {
  case formats = "every format and size up to 720p has the colours of the test picture"
  case steady = "pictures come at the camera's rate with steady times, and none is lost"
  case sharing = "two users share a camera, each with its own size, and the second may want a larger one"
  case shaping = "cropping, letterbox, rotation and mirror put every colour where it belongs"
  case controls = "controls are listed with their values and can be set during capture"
  case droppedBuffers = "with half of the buffers dropped pictures go on, and gaps are counted"
  case brokenBuffers = "broken pictures and refused buffers do not stop the stream"
  case refusedStart = "a refused start is thrown, whether buffers or streaming were refused, and the next start works"
  case fatalError = "a stream that dies is reported, opened again, and goes on"
  case stalled = "a camera that gives no pictures for 4 s is reported and opened again"
  case busy = "a camera in use by another process is told with its name"
  case noPermission = "a camera that may not be opened is told as such"
  case unplugged = "an unplugged camera shows its last picture once a second, and is back soon after its return"
  case recordedFormats = "a tone recorded in every rate, sample format and number of channels keeps its pitch and level"
  case playedFormats = "a tone played in every rate, sample format and number of channels keeps its pitch and level"
  case drift =
    "sound cards whose clocks are 0.1 % and 1 % off go by the system's clock, for a minute without clicks or growing delay"
  case stopped = "a process that was stopped plays and records on"
  case soundUnplugged = "a sound card that is pulled out gives silence, and sound again when it is back"
  case defaultMoves = "sound follows the default device when another one becomes it"
  case soundServer = "sound goes by way of PulseAudio, is silent while that is away, and goes on when it is back"
  case pipeWire = "sound goes by way of PipeWire, is silent while that is away, and goes on when it is back"
  case echo =
    "what the speaker plays and the microphone hears about 80 ms later is 25 dB weaker after 5 s, but not who speaks there"
  case call = "a call of two processes: camera to window, microphone to speaker"
  case soundBusy = "a sound card in use is told with its holder"

  /// Cases that need the sound card; the others need the camera.
  var isSound: Bool {
    switch self {
    case .recordedFormats, .playedFormats, .drift, .stopped, .soundUnplugged, .defaultMoves, .soundServer, .pipeWire,
      .echo, .soundBusy:
      true
    default: false
    }
  }

  /// Cases that nothing else may go on beside: loading a kernel module holds up the guest's only processor for longer than a
  /// speaker's buffer lasts.
  var isAlone: Bool { self == .drift || self == .call }

  /// Runs the case; what it returns is told beside its name.
  func run() throws -> String {
    switch self {
    case .formats: return try CameraCases.formats()
    case .steady: return try CameraCases.steady()
    case .sharing: return try CameraCases.sharing()
    case .shaping: return try CameraCases.shaping()
    case .controls: return try CameraCases.controls()
    case .droppedBuffers: return try CameraCases.droppedBuffers()
    case .brokenBuffers: return try CameraCases.brokenBuffers()
    case .refusedStart: return try CameraCases.refusedStart()
    case .fatalError: return try CameraCases.fatalError()
    case .stalled: return try CameraCases.stalled()
    case .busy: return try CameraCases.busy()
    case .noPermission: return try CameraCases.noPermission()
    case .unplugged: return try CameraCases.unplugged()
    case .recordedFormats: return try SoundCases.recordedFormats()
    case .playedFormats: return try SoundCases.playedFormats()
    case .drift: return try DriftCase.run()
    case .stopped: return try SoundCases.stopped()
    case .soundUnplugged: return try SoundCases.unplugged()
    case .defaultMoves: return try SoundCases.defaultMoves()
    case .soundServer: return try SoundServerCase.run(.pulseAudio)
    case .pipeWire: return try SoundServerCase.run(.pipeWire)
    case .echo: return try EchoCase.run()
    case .call: return try CallCase.run()
    case .soundBusy: return try SoundCases.busy()
    }
  }
}
