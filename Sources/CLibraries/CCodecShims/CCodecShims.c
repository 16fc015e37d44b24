#include "CCodecShims.h"

#include <opus/opus.h>
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

int greenroom_vp8_encoder_default_configuration(void *configuration) {
  return vpx_codec_enc_config_default(vpx_codec_vp8_cx(), configuration, 0);
}

int greenroom_vp8_encoder_init(void *context, const void *configuration) {
  return vpx_codec_enc_init(context, vpx_codec_vp8_cx(), configuration, 0);
}

int greenroom_vp8_encoder_control(void *context, int control, int value) {
  return vpx_codec_control_(context, control, value);
}

int greenroom_vp8_decoder_init(void *context, const void *configuration) {
  return vpx_codec_dec_init(context, vpx_codec_vp8_dx(), configuration, 0);
}

int greenroom_vp8_decoder_is_corrupted(void *context, int *corrupted) {
  return vpx_codec_control((vpx_codec_ctx_t *)context, VP8D_GET_FRAME_CORRUPTED, corrupted);
}

int greenroom_opus_encoder_set_bitrate(struct OpusEncoder *encoder, int32_t bits_per_second) {
  return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}

int greenroom_opus_encoder_set_complexity(struct OpusEncoder *encoder, int32_t complexity) {
  return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

int greenroom_opus_encoder_set_inband_fec(struct OpusEncoder *encoder, int32_t enabled) {
  return opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(enabled));
}

int greenroom_opus_encoder_set_packet_loss_percent(struct OpusEncoder *encoder, int32_t percent) {
  return opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(percent));
}

int greenroom_opus_encoder_set_dtx(struct OpusEncoder *encoder, int32_t enabled) {
  return opus_encoder_ctl(encoder, OPUS_SET_DTX(enabled));
}

int greenroom_opus_encoder_get_lookahead(struct OpusEncoder *encoder, int32_t *sample_count) {
  return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(sample_count));
}

int greenroom_opus_decoder_reset(struct OpusDecoder *decoder) { return opus_decoder_ctl(decoder, OPUS_RESET_STATE); }

int greenroom_opus_encoder_set_max_bandwidth(struct OpusEncoder *encoder, int32_t bandwidth) {
  return opus_encoder_ctl(encoder, OPUS_SET_MAX_BANDWIDTH(bandwidth));
}
