import CALSA
import CDeviceShims
import Glibc
import MediaBase

/// Notices when `default` has come to mean another device: another one was chosen in ALSA's configuration, a card has come,
/// or the default is back whose place another device has taken. Sound servers move their streams by themselves.
///
/// Used by a device's thread, which asks all the time: files are looked at once a second, and the configuration is read only
/// when one of them has changed.
struct DefaultDeviceWatch {
  /// What tells that a file has changed.
  private struct Stamp: Equatable {
    var file: UInt64 = 0
    var size: Int64 = 0
    var seconds = 0
    var nanoseconds = 0

    init(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      file = UInt64(status.st_ino)
      size = Int64(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  private static let interval = MediaDuration.seconds(1)

  private let isDefault: Bool
  private let files: [String]
  /// Where sound servers are reached, which matters while a card is in use: the configuration may mean the server from then
  /// on, as Debian's does of PulseAudio.
  private let sockets: [String]
  private var watched: [String] = []
  private var stamps: [Stamp] = []
  private var definition: String?
  private var next = MediaInstant.zero
  /// Another device is in use in the default's place.
  private var isSubstituted = false

  /// What is opened after this is what the configuration says now; later ones are, when a move has been noticed. (Not each
  /// time that a device is away: Debian's configuration means a card as long as PulseAudio is not there, and that may be
  /// starting anew.)
  ///
  /// - Parameters:
  ///   - name: of the device; any other than `default` never moves.
  ///   - files: what is looked at.
  ///   - sockets: what is looked at too while the default is a card.
  init(_ name: String, files: [String] = Self.usualFiles, sockets: [String] = Self.usualSockets) {
    isDefault = name == "default"
    self.files = files
    self.sockets = sockets
    if isDefault { Self.forgetConfiguration() }
  }

  /// Where cards appear, and what the configuration is read from.
  private static var usualFiles: [String] {
    var files = ["/dev/snd", "/etc/asound.conf"]
    let home = getenv("HOME").map { String(cString: $0) }
    if let home { files.append("\(home)/.asoundrc") }
    if let own = getenv("XDG_CONFIG_HOME").map({ String(cString: $0) }) ?? home.map({ "\($0)/.config" }) {
      files.append("\(own)/alsa/asoundrc")
    }
    if let path = getenv("ALSA_CONFIG_PATH") { files.append(String(cString: path)) }
    return files
  }

  /// Where PulseAudio, or what stands in for it, listens: for this user, or for all.
  private static var usualSockets: [String] {
    var folders = ["/run/user/\(getuid())/pulse", "/run/pulse"]
    if let own = getenv("XDG_RUNTIME_DIR") { folders.append("\(String(cString: own))/pulse") }
    if let own = getenv("PULSE_RUNTIME_PATH") { folders.append(String(cString: own)) }
    return folders.map { "\($0)/native" }
  }

  /// The device has been opened, by this name: what is meant now counts as known.
  ///
  /// - Parameter isServer: whether a sound server has it. While that is away it is waited for, so that its coming and going
  ///   says nothing.
  mutating func begin(opened: String, isServer: Bool, _ now: MediaInstant) {
    guard isDefault else { return }
    isSubstituted = opened != "default"
    watched = isServer ? files : files + sockets
    stamps = watched.map { Stamp($0) }
    definition = Self.currentDefinition()
    next = now + Self.interval
  }

  /// Whether another device than the one in use is meant now.
  ///
  /// - Parameter opens: whether the default itself can be opened; asked only while another device is in its place.
  mutating func hasMoved(_ now: MediaInstant, opens: () -> Bool) -> Bool {
    guard isDefault, now >= next else { return false }
    next = now + Self.interval
    if isSubstituted { return opens() }
    let present = watched.map { Stamp($0) }
    guard present != stamps else { return false }
    stamps = present
    let known = definition
    definition = Self.currentDefinition()
    return definition != nil && definition != known
  }

  /// The library looks at its main file only when it decides whether to read anew.
  private static func forgetConfiguration() { snd_config_update_free_global() }

  /// What ALSA's configuration says of the default, with everything that it refers to put in its place; `nil` if it says
  /// nothing that holds, such as without any card.
  private static func currentDefinition() -> String? {
    cds_alsa_silence()
    forgetConfiguration()
    var top: OpaquePointer?
    guard snd_config_update_ref(&top) >= 0, let top else { return nil }
    defer { snd_config_unref(top) }
    var found: OpaquePointer?
    guard snd_config_search_definition(top, "pcm", "default", &found) >= 0, let found else { return nil }
    defer { snd_config_delete(found) }
    var output: OpaquePointer?
    guard snd_output_buffer_open(&output) == 0, let output else { return nil }
    defer { snd_output_close(output) }
    guard snd_config_save(found, output) == 0 else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    let count = snd_output_buffer_string(output, &text)
    guard count > 0, let text else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
  }
}
