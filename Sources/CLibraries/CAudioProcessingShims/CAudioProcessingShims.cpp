// Flags of the library's pkg-config file that the package manager does not pass on.
#define WEBRTC_POSIX
#define WEBRTC_AUDIO_PROCESSING_ONLY_BUILD
#include "CAudioProcessingShims.h"

#include <webrtc/modules/audio_processing/include/audio_processing.h>

using webrtc::AudioProcessing;
using webrtc::StreamConfig;

struct cap_processor {
  AudioProcessing *processing;
  StreamConfig capture;
  StreamConfig render;
};

extern "C" cap_processor *cap_make(cap_settings settings, int channel_count) {
  webrtc::Config config;
  // 128 ms of filter instead of 48: the delay that is told may be less than the true one by that much.
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
  AudioProcessing *processing = AudioProcessing::Create(config);
  if (!processing) return nullptr;
  int status = 0;
  if (settings.cancels_echo) {
    status |= processing->echo_cancellation()->enable_drift_compensation(false);
    // More of it takes 2 dB more from who speaks during the echo, and hardly anything more from the echo.
    status |= processing->echo_cancellation()->set_suppression_level(webrtc::EchoCancellation::kLowSuppression);
    status |= processing->echo_cancellation()->enable_delay_logging(true);
    status |= processing->echo_cancellation()->Enable(true);
  }
  if (settings.noise_suppression) {
    status |= processing->noise_suppression()->set_level(
        static_cast<webrtc::NoiseSuppression::Level>(settings.noise_suppression - 1));
    status |= processing->noise_suppression()->Enable(true);
  }
  if (settings.controls_gain) {
    status |= processing->gain_control()->set_mode(webrtc::GainControl::kAdaptiveDigital);
    status |= processing->gain_control()->Enable(true);
  }
  if (settings.removes_rumble) status |= processing->high_pass_filter()->Enable(true);
  if (status != 0) {
    delete processing;
    return nullptr;
  }
  return new cap_processor{processing, StreamConfig(48000, channel_count), StreamConfig(48000, 1)};
}

extern "C" void cap_free(cap_processor *processor) {
  delete processor->processing;
  delete processor;
}

extern "C" int cap_render(cap_processor *processor, const float *samples) {
  float ignored[480];
  const float *source[] = {samples};
  float *target[] = {ignored};
  return processor->processing->ProcessReverseStream(source, processor->render, processor->render, target);
}

extern "C" int cap_capture(cap_processor *processor, float *first, float *second, int delay_milliseconds) {
  processor->processing->set_stream_delay_ms(delay_milliseconds);
  float *channels[] = {first, second};
  return processor->processing->ProcessStream(channels, processor->capture, processor->capture, channels);
}

extern "C" int cap_delay(cap_processor *processor) {
  int median = -1, deviation = 0;
  float poor = 0;
  if (processor->processing->echo_cancellation()->GetDelayMetrics(&median, &deviation, &poor) != 0) return -1;
  return median;
}
