import CALSA
import CDeviceShims
import LinuxIO
public import MediaBase

/// The sound devices of this machine.
public enum AudioDevices {
  /// What can be recorded from; the system's default in front, if there is anything, be it a card or a sound server.
  public static func microphones() -> [AudioDevice] { devices(SND_PCM_STREAM_CAPTURE) }

  /// What can be played on; the system's default in front, if there is anything, be it a card or a sound server.
  public static func speakers() -> [AudioDevice] { devices(SND_PCM_STREAM_PLAYBACK) }

  /// All of them.
  public static func list() -> (microphones: [AudioDevice], speakers: [AudioDevice]) { (microphones(), speakers()) }

  /// The number of the card that a name means; `nil` if it means none in particular.
  static func card(of name: String) -> Int32? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let fields = name[name.index(after: colon)...].split(separator: ",")
    let card = fields.first.map { $0.hasPrefix("CARD=") ? String($0.dropFirst(5)) : String($0) } ?? ""
    let index = snd_card_get_index(card)
    return index >= 0 ? index : nil
  }

  /// The name itself, or for the default, while that cannot be opened, that of the first device that can.
  static func present(_ name: String, _ direction: SoundDevice.Direction) -> String {
    guard name == "default", !opens(name, direction) else { return name }
    return devices(direction.stream).map(\.name).first { $0 != name && opens($0, direction) } ?? name
  }

  /// What keeps a microphone from being used now, such as another program; `nil` if nothing does.
  public static func problem(ofMicrophone name: String) -> MediaDeviceError? { problem(name, .capture) }

  /// What keeps a speaker from being used now; `nil` if nothing does.
  public static func problem(ofSpeaker name: String) -> MediaDeviceError? { problem(name, .playback) }

  private static func problem(_ name: String, _ direction: SoundDevice.Direction) -> MediaDeviceError? {
    do throws(MediaDeviceError) {
      _ = try SoundDevice(
        name: name, direction: direction, channelCount: direction == .capture ? 1 : 2, wake: WakeEvent())
      return nil
    } catch {
      return error
    }
  }

  /// Whether a device can be opened now.
  static func opens(_ name: String, _ direction: SoundDevice.Direction) -> Bool { opens(name, direction.stream) }

  private static func opens(_ name: String, _ stream: snd_pcm_stream_t) -> Bool {
    cds_alsa_silence()
    var handle: OpaquePointer?
    guard snd_pcm_open(&handle, name, stream, Int32(SND_PCM_NONBLOCK)) == 0, let handle else { return false }
    snd_pcm_close(handle)
    return true
  }

  private static func devices(_ stream: snd_pcm_stream_t) -> [AudioDevice] {
    cds_alsa_silence()
    var found: [AudioDevice] = []
    var card: Int32 = -1
    while snd_card_next(&card) == 0, card >= 0 { found += devices(ofCard: card, stream) }
    // Without any card there may be a sound server, such as one on another machine.
    if !found.isEmpty || opens("default", stream) {
      found.insert(AudioDevice(name: "default", description: "What the system uses by default"), at: 0)
    }
    return found
  }

  private static func devices(ofCard card: Int32, _ stream: snd_pcm_stream_t) -> [AudioDevice] {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(card)", 0) == 0, let control else { return [] }
    defer { snd_ctl_close(control) }
    var information: OpaquePointer?
    guard snd_pcm_info_malloc(&information) == 0, let information else { return [] }
    defer { snd_pcm_info_free(information) }
    let identifier = cardIdentifier(control) ?? "\(card)"
    var found: [AudioDevice] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
      snd_pcm_info_set_device(information, UInt32(device))
      snd_pcm_info_set_subdevice(information, 0)
      snd_pcm_info_set_stream(information, stream)
      // Fails where the device has no such direction.
      guard snd_ctl_pcm_info(control, information) == 0 else { continue }
      let title = snd_pcm_info_get_name(information).map { String(cString: $0) } ?? "device \(device)"
      found.append(
        AudioDevice(
          name: "plughw:CARD=\(identifier),DEV=\(device)", description: "\(cardName(card) ?? identifier), \(title)"))
    }
    return found
  }

  private static func cardIdentifier(_ control: OpaquePointer) -> String? {
    var information: OpaquePointer?
    guard snd_ctl_card_info_malloc(&information) == 0, let information else { return nil }
    defer { snd_ctl_card_info_free(information) }
    guard snd_ctl_card_info(control, information) == 0 else { return nil }
    return snd_ctl_card_info_get_id(information).map { String(cString: $0) }
  }

  private static func cardName(_ card: Int32) -> String? {
    var name: UnsafeMutablePointer<CChar>?
    guard snd_card_get_name(card, &name) == 0, let name else { return nil }
    defer { free(name) }
    return String(cString: name)
  }
}
