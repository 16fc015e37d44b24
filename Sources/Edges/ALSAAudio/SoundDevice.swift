import CALSA
import CDeviceShims
import Glibc
import LinuxIO
import MediaBase

/// An open ALSA device with whatever rate, samples and channels it has, which takes or gives 16-bit samples.
final class SoundDevice: @unchecked Sendable {
  // @unchecked: opened by one thread, then used by the one that it is handed to alone.

  enum Direction {
    case capture
    case playback

    var stream: snd_pcm_stream_t { self == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK }
    /// Pieces of 10 ms that a buffer holds unless a device needs more. Playing: 40 ms of delay at most. Recording: 200 ms of
    /// patience with a late reader, which adds no delay.
    var periods: Int { self == .capture ? 20 : 4 }
    var noun: String { self == .capture ? "Microphone" : "Speaker" }
  }

  /// Where the device is: at `time` it had passed `position` samples of each channel since it was started, and `waiting`
  /// of them lie in its buffer.
  struct Position {
    var time: MediaInstant
    var position: Int64
    var waiting: Int
  }

  let pcm: OpaquePointer
  let title: String
  let format: SoundFormat
  /// It belongs to no card: a sound server has it.
  let isServer: Bool
  private let direction: Direction
  private let wake: WakeEvent
  private var descriptors: [pollfd]
  /// What is read or written, as the device has it.
  private var bytes: [UInt8]
  /// Samples of each channel that have been read or written since the device was started.
  private var transferred: Int64 = 0
  private var patience = RecoveryPatience()

  /// Opens and prepares a device with a buffer of `periods` times 10 ms; `nil` for the direction's usual number. `wake` ends
  /// its waits.
  init(
    name: String, direction: Direction, channelCount: Int, periods: Int? = nil, wake: WakeEvent
  ) throws(MediaDeviceError) {
    cds_alsa_silence()
    title = "\(direction.noun) '\(name)'"
    let periods = periods ?? direction.periods
    // The device itself, without the converters that plug puts before it: it is converted here, and better.
    let itself = name.hasPrefix("plughw:") ? String(name.dropFirst(4)) : name
    let opened: Opened
    do throws(MediaDeviceError) {
      opened = try Self.open(itself, title, direction, channelCount: channelCount, periods: periods)
    } catch {
      // Samples of a kind that is not known here, or each channel by itself: plug turns them into others, at their own rate.
      guard case .unsupportedFormat = error, itself.hasPrefix("hw:") else { throw error }
      opened = try Self.open("plug" + itself, title, direction, channelCount: channelCount, periods: periods)
    }
    (pcm, format, isServer) = (opened.pcm, opened.format, opened.isServer)
    self.direction = direction
    self.wake = wake
    descriptors = Array(repeating: pollfd(), count: 1 + max(0, Int(snd_pcm_poll_descriptors_count(pcm))))
    bytes = Array(repeating: 0, count: format.periodSize * format.channelCount * format.encoding.byteCount)
  }

  deinit { snd_pcm_close(pcm) }

  /// Waits until the device is ready, `wake` is signalled or `milliseconds` have passed. `false` if it failed, has gone or
  /// has been waiting for all that time.
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
    // A device that has gone is ready at once for ever, and tells nothing to who asks for room.
    return ready > 0 && !isDisconnected
  }

  /// Begins anew after an overrun, an underrun or the machine's sleep (`status` is the negative error of a transfer).
  /// Throws if that cannot be done, or has been done again and again without any sound from a microphone.
  func recover(from status: Int, operation: String) throws(MediaDeviceError) {
    let code = Int32(truncatingIfNeeded: status)
    if code == -EAGAIN { return }
    guard code == -EPIPE || code == -ESTRPIPE || code == -EINTR else { throw error(code, operation) }
    let repaired = snd_pcm_recover(pcm, code, 1)
    // -EAGAIN: still suspended; it is tried again.
    guard repaired >= 0 || repaired == -EAGAIN else { throw error(repaired, operation) }
    if direction == .capture, patience.noteRecovery(after: transferred) { throw .disconnected(name: title) }
    transferred = 0
    if direction == .capture, snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
  }

  /// Whether the device has been unplugged.
  var isDisconnected: Bool { snd_pcm_state(pcm) == SND_PCM_STATE_DISCONNECTED }

  func error(_ status: Int32, _ operation: String) -> MediaDeviceError {
    if status == -ENODEV || isDisconnected { return .disconnected(name: title) }
    return .system(name: title, operation: operation, code: -status, detail: Self.text(status))
  }

  static func text(_ status: Int32) -> String { snd_strerror(status).map { String(cString: $0) } ?? "" }
}

extension SoundDevice {
  /// Appends up to a period of samples with `channelCount` channels; the number of samples of each channel, or a negative
  /// error.
  func read(into samples: inout [Int16], channelCount: Int) -> Int {
    let status = bytes.withUnsafeMutableBytes { memory -> Int in
      snd_pcm_readi(pcm, memory.baseAddress, snd_pcm_uframes_t(format.periodSize))
    }
    guard status > 0 else { return status == 0 ? -Int(EAGAIN) : status }
    transferred += Int64(status)
    bytes.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return }
      for frame in 0..<status { append(base, frame, to: &samples, channelCount) }
    }
    return status
  }

  /// One channel from two is their mean; two from one are both that; of more than two the first two count.
  private func append(_ base: UnsafeRawPointer, _ frame: Int, to samples: inout [Int16], _ channelCount: Int) {
    let index = frame * format.channelCount
    let first = format.encoding.read(base, index)
    guard format.channelCount > 1 else {
      for _ in 0..<channelCount { samples.append(first) }
      return
    }
    let second = format.encoding.read(base, index + 1)
    if channelCount == 1 {
      samples.append(Int16((Int(first) + Int(second)) / 2))
    } else {
      samples.append(first)
      samples.append(second)
    }
  }

  /// Writes up to a period of interleaved stereo from `start` (a sample of each channel) on; the number of samples of each
  /// channel, or a negative error.
  func write(_ samples: [Int16], from start: Int) -> Int {
    let count = min(samples.count / 2 - start, format.periodSize)
    guard count > 0 else { return 0 }
    let status = bytes.withUnsafeMutableBytes { memory -> Int in
      guard let base = memory.baseAddress else { return 0 }
      for frame in 0..<count { write(samples, start + frame, base, frame) }
      return snd_pcm_writei(pcm, base, snd_pcm_uframes_t(count))
    }
    if status > 0 { transferred += Int64(status) }
    return status == 0 ? -Int(EAGAIN) : status
  }

  private func write(_ samples: [Int16], _ source: Int, _ base: UnsafeMutableRawPointer, _ target: Int) {
    let index = target * format.channelCount
    let (left, right) = (samples[2 * source], samples[2 * source + 1])
    guard format.channelCount > 1 else {
      format.encoding.write(Int16((Int(left) + Int(right)) / 2), base, index)
      return
    }
    format.encoding.write(left, base, index)
    format.encoding.write(right, base, index + 1)
    for extra in 2..<max(2, format.channelCount) { format.encoding.write(0, base, index + extra) }
  }

  /// Where the device is by its own time stamps; `nil` where it has none, or stands still.
  var position: Position? {
    var available: snd_pcm_uframes_t = 0
    var stamp = snd_htimestamp_t()
    guard snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING, snd_pcm_htimestamp(pcm, &available, &stamp) == 0,
      stamp.tv_sec > 0 || stamp.tv_nsec > 0
    else { return nil }
    let time = MediaInstant(nanoseconds: Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec))
    let waiting = direction == .capture ? Int(available) : max(0, format.bufferSize - Int(available))
    let position = direction == .capture ? transferred + Int64(waiting) : transferred - Int64(waiting)
    return Position(time: time, position: position, waiting: waiting)
  }

  /// Samples of each channel between the program and the air, by the device's word.
  var delay: Int {
    var delay: snd_pcm_sframes_t = 0
    guard snd_pcm_delay(pcm, &delay) == 0 else { return 0 }
    return min(max(0, delay), format.rate)
  }
}

extension SoundDevice {
  /// A device that has been prepared.
  private struct Opened {
    var pcm: OpaquePointer
    var format: SoundFormat
    var isServer: Bool
  }

  private static func open(
    _ name: String, _ title: String, _ direction: Direction, channelCount: Int, periods: Int
  ) throws(MediaDeviceError) -> Opened {
    var handle: OpaquePointer?
    let status = snd_pcm_open(&handle, name, direction.stream, Int32(SND_PCM_NONBLOCK))
    guard status == 0, let handle else { throw openError(status, name: name, title: title, direction) }
    let isServer = card(of: handle) == nil
    do throws(MediaDeviceError) {
      // Servers mix two channels to one each in its own way, some so that it is louder: that is done here.
      let format = try SoundFormat(
        setting: handle, title: title, direction, channelCount: isServer ? 2 : channelCount, periods: periods)
      return Opened(pcm: handle, format: format, isServer: isServer)
    } catch {
      snd_pcm_close(handle)
      throw error
    }
  }

  /// The number of the card that an open device belongs to, through whatever plugins; `nil` if to none.
  private static func card(of pcm: OpaquePointer) -> Int32? {
    var allocated: OpaquePointer?
    guard snd_pcm_info_malloc(&allocated) == 0, let information = allocated else { return nil }
    defer { snd_pcm_info_free(information) }
    guard snd_pcm_info(pcm, information) == 0 else { return nil }
    let card = snd_pcm_info_get_card(information)
    return card >= 0 ? card : nil
  }

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
    if let card = AudioDevices.card(of: name) { prefix += "\(card)D" }
    let suffix = direction == .capture ? "c" : "p"
    return DeviceHolder.find { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
  }
}
