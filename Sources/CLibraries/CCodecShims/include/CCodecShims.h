#pragma once

#include <stdint.h>

// Functions in place of the macros and variadic calls of libvpx and libopus, which Swift cannot import. Each returns the
// library's own error code. The libraries' headers are not included here: their types belong to the modules CVPX and COpus
// alone. `context` is a vpx_codec_ctx_t, `configuration` a vpx_codec_enc_cfg_t or vpx_codec_dec_cfg_t.

int greenroom_vp8_encoder_default_configuration(void *configuration);
int greenroom_vp8_encoder_init(void *context, const void *configuration);
// For controls that take an integer: VP8E_SET_CPUUSED and its like.
int greenroom_vp8_encoder_control(void *context, int control, int value);
int greenroom_vp8_decoder_init(void *context, const void *configuration);
// Sets *corrupted to 1 if the last decoded picture was damaged, else to 0.
int greenroom_vp8_decoder_is_corrupted(void *context, int *corrupted);

struct OpusEncoder;
struct OpusDecoder;

int greenroom_opus_encoder_set_bitrate(struct OpusEncoder *encoder, int32_t bits_per_second);
int greenroom_opus_encoder_set_complexity(struct OpusEncoder *encoder, int32_t complexity);
int greenroom_opus_encoder_set_inband_fec(struct OpusEncoder *encoder, int32_t enabled);
int greenroom_opus_encoder_set_packet_loss_percent(struct OpusEncoder *encoder, int32_t percent);
int greenroom_opus_encoder_set_max_bandwidth(struct OpusEncoder *encoder, int32_t bandwidth);
int greenroom_opus_encoder_set_dtx(struct OpusEncoder *encoder, int32_t enabled);
int greenroom_opus_encoder_get_lookahead(struct OpusEncoder *encoder, int32_t *sample_count);
int greenroom_opus_decoder_reset(struct OpusDecoder *decoder);
