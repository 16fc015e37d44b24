import CALSA
import CDeviceShims
import Glibc
import LinuxIO
import MediaBase

/// An open ALSA device that takes or gives signed 16-bit samples at 48 kHz.
final class SoundDevice: @unchecked Sendable {
  // @unchecked: opened by one thread, then used by the one that it is handed to alone.

  enum Direction {
    case capture
    case playback

    var stream: snd_pcm_stream_t { self == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK }
    var noun: String { self == .capture ? "Microphone" : "Speaker" }
  }

  /// Samples per channel in 10 ms.
  static let periodSize = 480

  let pcm: OpaquePointer
  let title: String
  let channelCount: Int
  private let direction: Direction
  private let wake: WakeEvent
  private var descriptors: [pollfd]

  /// Opens and prepares a device. `wake` ends its waits.
  init(name: String, direction: Direction, channelCounts: [Int], wake: WakeEvent) throws(MediaDeviceError) {
    cds_alsa_silence()
    let title = "\(direction.noun) '\(name)'"
    // The plug layer converts rate, channels and format where the hardware has others.
    let opened = name.hasPrefix("hw:") ? "plug\(name)" : name
    var handle: OpaquePointer?
    let status = snd_pcm_open(&handle, opened, direction.stream, Int32(SND_PCM_NONBLOCK))
    guard status == 0, let handle else { throw Self.openError(status, name: name, title: title, direction) }
    do throws(MediaDeviceError) {
      channelCount = try Self.configure(handle, title: title, direction, channelCounts: channelCounts)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
    pcm = handle
    self.title = title
    self.direction = direction
    self.wake = wake
    descriptors = Array(repeating: pollfd(), count: 1 + max(0, Int(snd_pcm_poll_descriptors_count(handle))))
  }

  deinit { snd_pcm_close(pcm) }

  /// Waits until the device is ready, `wake` is signalled or `milliseconds` have passed. `false` if it failed or has been
  /// waiting for all that time.
  func wait(milliseconds: Int32) -> Bool {
    descriptors[0] = pollfd(fd: wake.fileDescriptor, events: Int16(POLLIN), revents: 0)
    let count = descriptors.withUnsafeMutableBufferPointer { all -> Int in
      guard let base = all.baseAddress, all.count > 1 else { return 0 }
      return max(0, Int(snd_pcm_poll_descriptors(pcm, base + 1, UInt32(all.count - 1))))
    }
    let ready = poll(&descriptors, nfds_t(count + 1), milliseconds)
    if ready < 0 { return errno == EINTR }
    // Plugins take note of their descriptors' events here; what to do next is asked of the transfer calls.
    var events: UInt16 = 0
    descriptors.withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress, count > 0 else { return }
      snd_pcm_poll_descriptors_revents(pcm, base + 1, UInt32(count), &events)
    }
    return ready > 0
  }

  /// Repairs the device after `status` (a negative error of a transfer), such as an overrun. Throws if that cannot be done.
  func recover(from status: Int, operation: String) throws(MediaDeviceError) {
    let code = Int32(truncatingIfNeeded: status)
    if code == -EAGAIN { return }
    guard code == -EPIPE || code == -ESTRPIPE || code == -EINTR else { throw error(code, operation) }
    let repaired = snd_pcm_recover(pcm, code, 1)
    // -EAGAIN: still suspended; it is tried again.
    guard repaired >= 0 || repaired == -EAGAIN else { throw error(repaired, operation) }
    if direction == .capture, snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
  }

  /// Whether the device has been unplugged.
  var isDisconnected: Bool { snd_pcm_state(pcm) == SND_PCM_STATE_DISCONNECTED }

  func error(_ status: Int32, _ operation: String) -> MediaDeviceError {
    if status == -ENODEV || isDisconnected { return .disconnected(name: title) }
    return .system(name: title, operation: operation, code: -status, detail: Self.text(status))
  }

  private static func text(_ status: Int32) -> String { snd_strerror(status).map { String(cString: $0) } ?? "" }
}

extension SoundDevice {
  private static func openError(
    _ status: Int32, name: String, title: String, _ direction: Direction
  ) -> MediaDeviceError {
    switch -status {
    case ENOENT, ENODEV, ENXIO, EINVAL: return .notFound(name: title)
    case EACCES, EPERM: return .noPermission(name: title)
    case EBUSY, EAGAIN: return .busy(name: title, holder: holder(of: name, direction))
    default: return .system(name: title, operation: "opening", code: -status, detail: text(status))
    }
  }

  /// The process that has the device's file open. A name without card (`default`) may mean any card.
  private static func holder(of name: String, _ direction: Direction) -> String? {
    var prefix = "/dev/snd/pcmC"
    if let colon = name.firstIndex(of: ":") {
      let fields = name[name.index(after: colon)...].split(separator: ",")
      let card = fields.first.map { $0.hasPrefix("CARD=") ? String($0.dropFirst(5)) : String($0) } ?? ""
      let index = snd_card_get_index(card)
      if index >= 0 { prefix += "\(index)D" }
    }
    let suffix = direction == .capture ? "c" : "p"
    return DeviceHolder.find { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
  }

  /// Sets format, rate and buffers; returns the number of channels.
  private static func configure(
    _ pcm: OpaquePointer, title: String, _ direction: Direction, channelCounts: [Int]
  ) throws(MediaDeviceError) -> Int {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) == 0, let parameters = allocated else {
      throw .system(name: title, operation: "preparing", code: ENOMEM, detail: text(-ENOMEM))
    }
    defer { snd_pcm_hw_params_free(parameters) }
    snd_pcm_hw_params_any(pcm, parameters)
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 1)
    guard snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) == 0,
      snd_pcm_hw_params_set_format(pcm, parameters, SND_PCM_FORMAT_S16_LE) == 0
    else { throw .unsupportedFormat(name: title, detail: "it has no 16-bit samples") }
    guard snd_pcm_hw_params_set_rate(pcm, parameters, 48_000, 0) == 0 else {
      throw .unsupportedFormat(name: title, detail: "it cannot run at 48 kHz")
    }
    let channelCount = channelCounts.first {
      snd_pcm_hw_params_set_channels(pcm, parameters, UInt32($0)) == 0
    }
    guard let channelCount else {
      throw .unsupportedFormat(name: title, detail: "it has neither one nor two channels")
    }
    var period = snd_pcm_uframes_t(periodSize)
    snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil)
    // Playing: 40 ms of delay at most. Recording: 200 ms of patience with a late reader, which adds no delay.
    var buffer = snd_pcm_uframes_t(periodSize * (direction == .capture ? 20 : 4))
    snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer)
    let status = snd_pcm_hw_params(pcm, parameters)
    guard status == 0 else {
      if status == -EBUSY { throw .busy(name: title, holder: nil) }
      throw .system(name: title, operation: "preparing", code: -status, detail: text(status))
    }
    try setWakeUps(pcm, title: title, direction, bufferSize: buffer)
    return channelCount
  }

  /// When the device wakes its thread and starts by itself.
  private static func setWakeUps(
    _ pcm: OpaquePointer, title: String, _ direction: Direction, bufferSize: snd_pcm_uframes_t
  ) throws(MediaDeviceError) {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) == 0, let parameters = allocated else {
      throw .system(name: title, operation: "preparing", code: ENOMEM, detail: text(-ENOMEM))
    }
    defer { snd_pcm_sw_params_free(parameters) }
    snd_pcm_sw_params_current(pcm, parameters)
    snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(periodSize))
    // Playing starts with two periods inside; recording is started by hand.
    let threshold = direction == .capture ? bufferSize : min(bufferSize, snd_pcm_uframes_t(periodSize * 2))
    snd_pcm_sw_params_set_start_threshold(pcm, parameters, threshold)
    let status = snd_pcm_sw_params(pcm, parameters)
    guard status == 0 else {
      throw .system(name: title, operation: "preparing", code: -status, detail: text(status))
    }
  }
}
