#include "CRawEncoder.h"

#include <stdlib.h>
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

struct raw_encoder {
  vpx_codec_ctx_t context;
  vpx_image_t image;
  int frame_rate;
};

raw_encoder *raw_encoder_make(int width, int height, int frame_rate, int kilobits_per_second, int speed) {
  raw_encoder *encoder = calloc(1, sizeof *encoder);
  vpx_codec_enc_cfg_t settings;
  if (!encoder || vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &settings, 0)) return NULL;
  settings.g_w = width;
  settings.g_h = height;
  settings.g_timebase.num = 1;
  settings.g_timebase.den = 90000;
  settings.g_threads = 1;
  settings.g_error_resilient = 0;
  settings.g_lag_in_frames = 0;
  settings.g_pass = VPX_RC_ONE_PASS;
  settings.rc_end_usage = VPX_CBR;
  settings.rc_target_bitrate = kilobits_per_second;
  settings.rc_dropframe_thresh = 30;
  settings.rc_resize_allowed = 0;
  settings.rc_min_quantizer = 2;
  settings.rc_max_quantizer = 56;
  settings.rc_undershoot_pct = 100;
  settings.rc_overshoot_pct = 15;
  settings.rc_buf_initial_sz = 500;
  settings.rc_buf_optimal_sz = 600;
  settings.rc_buf_sz = 1000;
  settings.kf_mode = VPX_KF_DISABLED;
  if (vpx_codec_enc_init(&encoder->context, vpx_codec_vp8_cx(), &settings, 0)) {
    free(encoder);
    return NULL;
  }
  int largest = 600 * frame_rate / 20;
  vpx_codec_control(&encoder->context, VP8E_SET_CPUUSED, -speed);
  vpx_codec_control(&encoder->context, VP8E_SET_STATIC_THRESHOLD, 1);
  vpx_codec_control(&encoder->context, VP8E_SET_NOISE_SENSITIVITY, 0);
  vpx_codec_control(&encoder->context, VP8E_SET_TOKEN_PARTITIONS, 0);
  vpx_codec_control(&encoder->context, VP8E_SET_MAX_INTRA_BITRATE_PCT, largest < 300 ? 300 : largest);
  vpx_img_wrap(&encoder->image, VPX_IMG_FMT_I420, width, height, 1, (unsigned char *)1);
  encoder->frame_rate = frame_rate;
  return encoder;
}

void raw_encoder_free(raw_encoder *encoder) {
  if (!encoder) return;
  vpx_codec_destroy(&encoder->context);
  free(encoder);
}

long raw_encoder_encode(raw_encoder *encoder, uint8_t *y, uint8_t *u, uint8_t *v, int stride_y, int stride_uv,
                        int64_t time, int forces_key_frame) {
  encoder->image.planes[0] = y;
  encoder->image.planes[1] = u;
  encoder->image.planes[2] = v;
  encoder->image.stride[0] = stride_y;
  encoder->image.stride[1] = stride_uv;
  encoder->image.stride[2] = stride_uv;
  if (vpx_codec_encode(&encoder->context, &encoder->image, time, 90000 / encoder->frame_rate,
                       forces_key_frame ? VPX_EFLAG_FORCE_KF : 0, VPX_DL_REALTIME))
    return -1;
  vpx_codec_iter_t position = NULL;
  const vpx_codec_cx_pkt_t *packet;
  long size = 0;
  while ((packet = vpx_codec_get_cx_data(&encoder->context, &position)))
    if (packet->kind == VPX_CODEC_CX_FRAME_PKT) size += (long)packet->data.frame.sz;
  return size;
}
