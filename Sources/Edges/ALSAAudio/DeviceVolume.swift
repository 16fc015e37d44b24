import CALSA

/// The volume of a sound card as its mixer has it, beside what the engine does to samples.
public enum DeviceVolume {
  /// The part of a mixer that a person would turn, the best first.
  private static let playbackControls = ["Master", "PCM", "Speaker", "Headphone", "Front", "Digital"]
  private static let captureControls = ["Capture", "Mic", "Internal Mic", "Digital", "Mic Boost"]

  /// How loud a speaker is set, 0 to 100; `nil` if its card has no such control.
  public static func speaker(_ name: String = "default") -> Int? { volume(name, isCapture: false) }

  /// How loud a microphone is set, 0 to 100; `nil` if its card has no such control.
  public static func microphone(_ name: String = "default") -> Int? { volume(name, isCapture: true) }

  /// Sets a speaker's volume, 0 to 100. `false` if its card has no such control.
  @discardableResult public static func setSpeaker(_ volume: Int, _ name: String = "default") -> Bool {
    set(volume, name, isCapture: false)
  }

  /// Sets a microphone's volume, 0 to 100. `false` if its card has no such control.
  @discardableResult public static func setMicrophone(_ volume: Int, _ name: String = "default") -> Bool {
    set(volume, name, isCapture: true)
  }

  private static func volume(_ name: String, isCapture: Bool) -> Int? {
    withControl(name, isCapture) { element in
      var (least, most, now) = (0, 0, 0)
      let channel = SND_MIXER_SCHN_FRONT_LEFT
      let status =
        isCapture
        ? snd_mixer_selem_get_capture_volume_range(element, &least, &most)
          | snd_mixer_selem_get_capture_volume(element, channel, &now)
        : snd_mixer_selem_get_playback_volume_range(element, &least, &most)
          | snd_mixer_selem_get_playback_volume(element, channel, &now)
      guard status == 0, most > least else { return nil }
      return (now - least) * 100 / (most - least)
    }
  }

  private static func set(_ volume: Int, _ name: String, isCapture: Bool) -> Bool {
    guard (0...100).contains(volume) else { return false }
    let result: Bool? = withControl(name, isCapture) { element in
      var (least, most) = (0, 0)
      if isCapture {
        guard snd_mixer_selem_get_capture_volume_range(element, &least, &most) == 0, most > least else { return nil }
        return snd_mixer_selem_set_capture_volume_all(element, least + (most - least) * volume / 100) == 0
      }
      guard snd_mixer_selem_get_playback_volume_range(element, &least, &most) == 0, most > least else { return nil }
      return snd_mixer_selem_set_playback_volume_all(element, least + (most - least) * volume / 100) == 0
    }
    return result ?? false
  }

  /// Opens the mixer of a device's card and finds the control.
  private static func withControl<Result>(
    _ name: String, _ isCapture: Bool, _ body: (OpaquePointer) -> Result?
  ) -> Result? {
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) == 0, let mixer = opened else { return nil }
    defer { snd_mixer_close(mixer) }
    let card = AudioDevices.card(of: name).map { "hw:\($0)" } ?? "default"
    guard snd_mixer_attach(mixer, card) == 0, snd_mixer_selem_register(mixer, nil, nil) == 0, snd_mixer_load(mixer) == 0
    else { return nil }
    var elements: [String: OpaquePointer] = [:]
    var element = snd_mixer_first_elem(mixer)
    while let current = element {
      let has = isCapture ? snd_mixer_selem_has_capture_volume(current) : snd_mixer_selem_has_playback_volume(current)
      if has != 0, let title = snd_mixer_selem_get_name(current) { elements[String(cString: title)] = current }
      element = snd_mixer_elem_next(current)
    }
    let wanted = isCapture ? captureControls : playbackControls
    return wanted.lazy.compactMap { elements[$0] }.first.flatMap(body)
  }
}
