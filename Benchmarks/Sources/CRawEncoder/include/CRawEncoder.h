#pragma once

#include <stdint.h>

// libvpx called directly from C with the settings of VP8Encoder: the baseline of the encode benchmark.
typedef struct raw_encoder raw_encoder;

raw_encoder *raw_encoder_make(int width, int height, int frame_rate, int kilobits_per_second, int speed);
void raw_encoder_free(raw_encoder *encoder);
// Encodes one I420 picture; returns the size of what came out, or -1.
long raw_encoder_encode(raw_encoder *encoder, uint8_t *y, uint8_t *u, uint8_t *v, int stride_y, int stride_uv,
                        int64_t time, int forces_key_frame);
