import CALSA
import Foundation
import LinuxIO
import MediaBase
import TestSupport
import Testing

@testable import ALSAAudio

/// What `default` and other names mean, by files that ALSA reads. The process has one configuration: one test at a time.
@Suite(.serialized, .ownThread) struct DefaultDeviceTests {
  /// A configuration of ALSA beside the system's, in force while this lives.
  private final class Configuration {
    let path = NSTemporaryDirectory() + "greenroom-alsa-" + UUID().uuidString

    init(_ definition: String) throws {
      try write(definition)
      setenv("ALSA_CONFIG_PATH", path, 1)
    }

    deinit {
      unsetenv("ALSA_CONFIG_PATH")
      unlink(path)
    }

    func write(_ definition: String) throws {
      try "</usr/share/alsa/alsa.conf>\n\(definition)\n".write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  private static let first = "pcm.!default { type null }"
  private static let second = "pcm.!default { type plug slave.pcm \"null\" }"

  /// A watch that is asked once a second.
  private final class Follower {
    private var watch: DefaultDeviceWatch
    private var now = MediaInstant.zero

    init(_ name: String, _ configuration: Configuration, opened: String? = nil) {
      watch = DefaultDeviceWatch(name, files: [configuration.path], sockets: [])
      begin(opened ?? name)
    }

    /// Looks at nothing but where a sound server listens.
    init(socket: String, isServer: Bool) {
      watch = DefaultDeviceWatch("default", files: [], sockets: [socket])
      begin("default", isServer: isServer)
    }

    func begin(_ opened: String, isServer: Bool = false) { watch.begin(opened: opened, isServer: isServer, now) }

    /// - Parameter opens: whether the default itself can be opened; `nil` if that must not be asked.
    func moves(after delay: MediaDuration = .seconds(1), opens: Bool? = nil) -> Bool {
      now = now + delay
      return watch.hasMoved(now) {
        if opens == nil { Issue.record("the default itself is in use") }
        return opens ?? false
      }
    }
  }

  @Test func `another default is noticed once, when a file says so`() throws {
    let configuration = try Configuration(Self.first)
    try withExtendedLifetime(configuration) {
      let follower = Follower("default", configuration)
      #expect(!follower.moves())
      try configuration.write(Self.second)
      // Not looked at more than once a second.
      #expect(!follower.moves(after: .milliseconds(1)))
      #expect(follower.moves())
      #expect(!follower.moves())
      // A file that says the same in other words.
      try configuration.write(Self.second + "\n# a comment")
      #expect(!follower.moves())
      // Nonsense is no device to move to; what comes after it may be.
      try configuration.write("pcm.!default { type ")
      #expect(!follower.moves())
      try configuration.write(Self.first)
      #expect(follower.moves())
    }
  }

  @Test func `while another device is in its place, the default is taken as soon as it opens`() throws {
    let configuration = try Configuration(Self.first)
    withExtendedLifetime(configuration) {
      let follower = Follower("default", configuration, opened: "plughw:CARD=Other,DEV=0")
      #expect(!follower.moves(opens: false))
      #expect(follower.moves(opens: true))
      follower.begin("default")
      #expect(!follower.moves())
    }
  }

  @Test(arguments: [false, true])
  func `a sound server that starts later is taken in a card's place, and one that starts anew is no news`(
    isServer: Bool
  ) throws {
    let configuration = try Configuration(Self.first)
    let socket = NSTemporaryDirectory() + "greenroom-server-" + UUID().uuidString
    defer { unlink(socket) }
    try withExtendedLifetime(configuration) {
      let follower = Follower(socket: socket, isServer: isServer)
      #expect(!follower.moves())
      // Debian's configuration says something else while the server runs, without a change of its files.
      try configuration.write(Self.second)
      #expect(!follower.moves())
      try Data().write(to: URL(filePath: socket))
      #expect(follower.moves() == !isServer)
      #expect(!follower.moves())
    }
  }

  @Test func `a device that is started is what the configuration says now, not what it said to the last one`() throws {
    // The library itself looks at the first file only.
    let included = try Configuration(Self.first)
    let configuration = try Configuration("<\(included.path)>")
    func kind() throws -> snd_pcm_type_t {
      _ = DefaultDeviceWatch("default", files: [])
      let device = try SoundDevice(name: "default", direction: .playback, channelCount: 2, wake: WakeEvent())
      return snd_pcm_type(device.pcm)
    }
    try withExtendedLifetime(configuration) {
      #expect(try kind() == SND_PCM_TYPE_NULL)
      try included.write(Self.second)
      #expect(try kind() == SND_PCM_TYPE_PLUG)
    }
  }

  @Test func `a default that belongs to no card, as that of a sound server, is listed if it can be opened`() throws {
    let configuration = try Configuration(Self.first)
    try withExtendedLifetime(configuration) {
      #expect(AudioDevices.microphones().first?.name == "default")
      #expect(AudioDevices.speakers().first?.name == "default")
      try configuration.write("pcm.!default { type hw card 31 }")
      let (microphones, speakers) = AudioDevices.list()
      // With the cards there are, or not at all.
      #expect(microphones.map(\.name) != ["default"])
      #expect(speakers.map(\.name) != ["default"])
    }
  }

  @Test(arguments: [1, 2])
  func `two channels of a sound server come as they are, or become one here as their mean`(channelCount: Int) throws {
    let path = NSTemporaryDirectory() + "greenroom-served-" + UUID().uuidString
    defer { unlink(path) }
    let samples: [Int16] = (0..<96_000).map { $0 % 2 == 0 ? 1_000 : -3_000 }
    try samples.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
    let configuration = try Configuration(
      "pcm.served { type file slave.pcm null file /dev/null infile \"\(path)\" format raw }")
    try withExtendedLifetime(configuration) {
      let device = try SoundDevice(
        name: "served", direction: .capture, channelCount: channelCount, wake: WakeEvent())
      #expect(device.isServer && device.format.channelCount == 2)
      snd_pcm_start(device.pcm)
      var recorded: [Int16] = []
      let count = device.read(into: &recorded, channelCount: channelCount)
      #expect(count > 100 && recorded.count == count * channelCount)
      #expect(Set(recorded) == (channelCount == 1 ? [-1_000] : [1_000, -3_000]))
    }
  }

  @Test func `a device with a name stays`() throws {
    let configuration = try Configuration(Self.first)
    try withExtendedLifetime(configuration) {
      let follower = Follower("plughw:CARD=One,DEV=0", configuration)
      try configuration.write(Self.second)
      #expect(!follower.moves())
    }
  }
}
