#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Macros that Swift cannot import.
static inline int64_t cff_no_timestamp(void) { return AV_NOPTS_VALUE; }
static inline int cff_again(void) { return AVERROR(EAGAIN); }
static inline int cff_system_error(int code) { return AVUNERROR(code); }
static inline int cff_no_memory(void) { return AVERROR(ENOMEM); }
static inline int cff_end_of_file(void) { return AVERROR_EOF; }
static inline int cff_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int cff_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
