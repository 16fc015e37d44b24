import CALSA
import Glibc
import MediaBase

/// What a device works with: the nearest to 48 kHz, 16 bits and the wanted channels that it has.
struct SoundFormat {
  var encoding: SampleEncoding
  var rate: Int
  var channelCount: Int
  /// Samples of each channel between two wake-ups: 10 ms or a little less.
  var periodSize: Int
  var bufferSize: Int

  /// More than that are not microphones.
  private static let mostChannels: UInt32 = 32

  /// Negotiates with a device and sets it up, with a buffer of `periods` times 10 ms.
  init(
    setting pcm: OpaquePointer, title: String, _ direction: SoundDevice.Direction, channelCount wanted: Int,
    periods: Int
  ) throws(MediaDeviceError) {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) == 0, let parameters = allocated else {
      throw .system(name: title, operation: "preparing", code: ENOMEM, detail: SoundDevice.text(-ENOMEM))
    }
    defer { snd_pcm_hw_params_free(parameters) }
    snd_pcm_hw_params_any(pcm, parameters)
    snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    guard snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) == 0 else {
      throw .unsupportedFormat(name: title, detail: "its samples cannot be interleaved")
    }
    let encoding = SampleEncoding.allCases.first { snd_pcm_hw_params_set_format(pcm, parameters, $0.format) == 0 }
    guard let encoding else { throw .unsupportedFormat(name: title, detail: "its samples are of no known kind") }
    // The wanted number, or the next higher one, or whatever there is.
    var channels = UInt32(wanted)
    var least = UInt32(wanted)
    if snd_pcm_hw_params_set_channels_min(pcm, parameters, &least) != 0 {
      snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels)
    } else {
      snd_pcm_hw_params_set_channels_first(pcm, parameters, &channels)
    }
    guard (1...Self.mostChannels).contains(channels) else {
      throw .unsupportedFormat(name: title, detail: "it has \(channels) channels")
    }
    var rate: UInt32 = 48_000
    var place: Int32 = 0
    snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, &place)
    guard (4_000...768_000).contains(rate) else {
      throw .unsupportedFormat(name: title, detail: "it cannot run at any rate from 4 to 768 kHz")
    }
    var period = snd_pcm_uframes_t(rate / 100)
    place = 0
    snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, &place)
    var buffer = period * snd_pcm_uframes_t(periods)
    snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer)
    let status = snd_pcm_hw_params(pcm, parameters)
    guard status == 0 else {
      if status == -EBUSY { throw .busy(name: title, holder: nil) }
      throw .system(name: title, operation: "preparing", code: -status, detail: SoundDevice.text(status))
    }
    snd_pcm_hw_params_get_period_size(parameters, &period, &place)
    snd_pcm_hw_params_get_buffer_size(parameters, &buffer)
    guard (1...1 << 20).contains(period), buffer >= period, buffer <= 1 << 22 else {
      throw .unsupportedFormat(name: title, detail: "its buffer has \(buffer) samples in pieces of \(period)")
    }
    self.encoding = encoding
    self.rate = Int(rate)
    channelCount = Int(channels)
    periodSize = Int(period)
    bufferSize = Int(buffer)
    try setWakeUps(pcm, title: title, direction)
  }

  /// When the device wakes its thread and starts by itself, and which clock it reads.
  private func setWakeUps(
    _ pcm: OpaquePointer, title: String, _ direction: SoundDevice.Direction
  ) throws(MediaDeviceError) {
    var allocated: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&allocated) == 0, let parameters = allocated else {
      throw .system(name: title, operation: "preparing", code: ENOMEM, detail: SoundDevice.text(-ENOMEM))
    }
    defer { snd_pcm_sw_params_free(parameters) }
    snd_pcm_sw_params_current(pcm, parameters)
    snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(periodSize))
    // Not every plugin has time stamps; then the time of the call has to do.
    snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    // Playing starts with half of the buffer filled; recording is started by hand.
    let threshold = direction == .capture ? bufferSize : min(bufferSize, max(periodSize, bufferSize / 2))
    snd_pcm_sw_params_set_start_threshold(pcm, parameters, snd_pcm_uframes_t(threshold))
    let status = snd_pcm_sw_params(pcm, parameters)
    guard status == 0 else {
      throw .system(name: title, operation: "preparing", code: -status, detail: SoundDevice.text(status))
    }
  }
}
