#pragma once
// The C++ interface of libwebrtc-audio-processing for Swift. No logic here.
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cap_processor cap_processor;

typedef struct cap_settings {
  int cancels_echo;
  // 0 none, 1 to 4: low, moderate, high, very high.
  int noise_suppression;
  int controls_gain;
  int removes_rumble;
} cap_settings;

// For 48 kHz and one or two channels of the microphone; NULL if the library refuses.
cap_processor *cap_make(cap_settings settings, int channel_count);
void cap_free(cap_processor *processor);
// 10 ms that are about to be played, one channel of 480 samples from -1 to 1. From any one thread.
int cap_render(cap_processor *processor, const float *samples);
// 10 ms of the microphone, in place; `second` is NULL for one channel. `delay_milliseconds` from cap_render of a sound to
// its echo's coming here. From any one thread.
int cap_capture(cap_processor *processor, float *first, float *second, int delay_milliseconds);
// The delay that the canceller has found, in milliseconds; negative if it has found none.
int cap_delay(cap_processor *processor);

#ifdef __cplusplus
}
#endif
