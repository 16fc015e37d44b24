#pragma once

#include <opus/opus.h>
#include <stdint.h>
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

// Functions in place of the macros and variadic calls of libvpx and libopus, which Swift cannot import. Each returns the
// library's own error code.

vpx_codec_err_t greenroom_vp8_encoder_default_configuration(vpx_codec_enc_cfg_t *configuration);
vpx_codec_err_t greenroom_vp8_encoder_init(vpx_codec_ctx_t *context, const vpx_codec_enc_cfg_t *configuration);
// For controls that take an integer: VP8E_SET_CPUUSED and its like.
vpx_codec_err_t greenroom_vp8_encoder_control(vpx_codec_ctx_t *context, int control, int value);
vpx_codec_err_t greenroom_vp8_decoder_init(vpx_codec_ctx_t *context, const vpx_codec_dec_cfg_t *configuration);
// Sets *corrupted to 1 if the last decoded picture was damaged, else to 0.
vpx_codec_err_t greenroom_vp8_decoder_is_corrupted(vpx_codec_ctx_t *context, int *corrupted);

int greenroom_opus_encoder_set_bitrate(OpusEncoder *encoder, int32_t bits_per_second);
int greenroom_opus_encoder_set_complexity(OpusEncoder *encoder, int32_t complexity);
int greenroom_opus_encoder_set_inband_fec(OpusEncoder *encoder, int32_t enabled);
int greenroom_opus_encoder_set_packet_loss_percent(OpusEncoder *encoder, int32_t percent);
int greenroom_opus_encoder_set_dtx(OpusEncoder *encoder, int32_t enabled);
int greenroom_opus_encoder_get_lookahead(OpusEncoder *encoder, int32_t *sample_count);
int greenroom_opus_decoder_reset(OpusDecoder *decoder);
