import Glibc

/// A sound server with the loop as its devices: it plays on substream 0, hears substream 1, and has another microphone, of
/// one channel, at substream 2. For ALSA it is the default, and `mono` is that microphone.
enum SoundServer {
  case pulseAudio
  case pipeWire

  static let configuration = "/tmp/.asoundrc"
  private static let directory = "/tmp/sound-server"

  /// Writes what the server and ALSA read.
  func configure() throws {
    mkdir(Self.directory, 0o700)
    switch self {
    case .pulseAudio:
      setenv("PULSE_RUNTIME_PATH", Self.directory, 1)
      setenv("PULSE_SERVER", "unix:\(Self.directory)/native", 1)
      try Self.write(
        Self.configuration, "pcm.!default { type pulse }\npcm.mono { type pulse device mono }\n")
      try Self.write("\(Self.directory)/script.pa", Self.pulseAudioScript)
    case .pipeWire:
      guard let plugins = getenv("GUEST_PIPEWIRE_PLUGINS").map({ String(cString: $0) }), !plugins.isEmpty else {
        throw LabFailure("PipeWire's plugin of ALSA could not be fetched")
      }
      setenv("PIPEWIRE_RUNTIME_DIR", Self.directory, 1)
      try Self.write(
        Self.configuration,
        """
        pcm_type.pipewire { lib "\(plugins)/libasound_module_pcm_pipewire.so" }
        pcm.!default { type pipewire playback_node "-1" capture_node "-1" }
        pcm.mono { type pipewire capture_node "mono" }

        """)
      let folder = "/tmp/.config"
      for path in ["", "/pipewire", "/pipewire/pipewire.conf.d", "/wireplumber"] { mkdir(folder + path, 0o700) }
      try Self.write("\(folder)/pipewire/pipewire.conf.d/lab.conf", Self.pipeWireDevices)
      for (name, text) in Self.wirePlumberSettings {
        mkdir("\(folder)/wireplumber/\(name).lua.d", 0o700)
        try Self.write("\(folder)/wireplumber/\(name).lua.d/51-lab.lua", text)
      }
    }
  }

  /// Starts its processes, and waits until programs can come.
  func start() throws -> [ChildProcess] {
    switch self {
    case .pulseAudio:
      let socket = "\(Self.directory)/native"
      unlink(socket)
      let server = try ChildProcess(
        [
          "/usr/bin/pulseaudio", "-n", "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no",
          "--log-target=stderr",
          "-F", "\(Self.directory)/script.pa",
        ], output: "/tmp/pulse.log")
      try wait("PulseAudio") { access(socket, F_OK) == 0 }
      return [server]
    case .pipeWire:
      let socket = "\(Self.directory)/pipewire-0"
      unlink(socket)
      let server = try ChildProcess(["/usr/bin/pipewire"], output: "/tmp/pipewire.log")
      try wait("PipeWire") { access(socket, F_OK) == 0 }
      // Without it streams and devices stay apart.
      return [server, try ChildProcess(["/usr/bin/wireplumber"], output: "/tmp/wireplumber.log")]
    }
  }

  private static let pulseAudioScript = """
    load-module module-native-protocol-unix socket=\(directory)/native auth-anonymous=1
    load-module module-alsa-sink device=hw:Loopback,0,0 rate=48000
    load-module module-alsa-source device=hw:Loopback,1,1 rate=48000 source_name=stereo
    load-module module-alsa-source device=hw:Loopback,1,2 rate=48000 channels=1 source_name=mono
    set-default-source stereo

    """

  /// Cards are found by udev and Bluetooth by D-Bus, which the guest has not; and cameras are none of its business.
  private static let wirePlumberSettings = [
    "main": """
    alsa_monitor.enabled = false
    v4l2_monitor.enabled = false
    libcamera_monitor.enabled = false
    default_access.properties["enable-flatpak-portal"] = false

    """,
    "bluetooth": "bluez_monitor.enabled = false\n",
  ]

  private static let pipeWireDevices = """
    context.objects = [
      \(pipeWireDevice("sink", "hw:Loopback,0,0", name: "speaker", "FL,FR", priority: 1_000))
      \(pipeWireDevice("source", "hw:Loopback,1,1", name: "stereo", "FL,FR", priority: 1_000))
      \(pipeWireDevice("source", "hw:Loopback,1,2", name: "mono", "MONO", priority: 1))
    ]

    """

  private static func pipeWireDevice(
    _ kind: String, _ path: String, name: String, _ channels: String, priority: Int
  ) -> String {
    let count = channels.split(separator: ",").count
    return """
      { factory = adapter args = {
        factory.name = api.alsa.pcm.\(kind) media.class = \(kind == "sink" ? "Audio/Sink" : "Audio/Source")
        node.name = \(name) node.description = \(name) priority.session = \(priority)
        api.alsa.path = "\(path)" audio.rate = 48000 audio.channels = \(count) audio.position = "\(channels)"
      } }
      """
  }

  private static func write(_ path: String, _ text: String) throws {
    guard let file = fopen(path, "w") else { throw LabFailure("no \(path)") }
    fputs(text, file)
    fclose(file)
  }
}
