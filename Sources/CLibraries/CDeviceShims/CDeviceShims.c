#define _GNU_SOURCE
#include "CDeviceShims.h"

#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

static void keep_quiet(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

void cds_alsa_silence(void) { snd_lib_error_set_handler(keep_quiet); }

void cds_v4l2_silence(void) { v4l2_log_file = fopen("/dev/null", "we"); }

int cds_open(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

int cds_v4l2_ioctl(int fd, unsigned long request, void *argument) { return v4l2_ioctl(fd, request, argument); }

int cds_ioctl(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }

void *cds_v4l2_map(int fd, uint32_t length, uint32_t offset) {
  void *memory = v4l2_mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  return memory == MAP_FAILED ? NULL : memory;
}

const unsigned long cds_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
const unsigned long cds_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
const unsigned long cds_VIDIOC_TRY_FMT = VIDIOC_TRY_FMT;
const unsigned long cds_VIDIOC_S_FMT = VIDIOC_S_FMT;
const unsigned long cds_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
const unsigned long cds_VIDIOC_S_PARM = VIDIOC_S_PARM;
const unsigned long cds_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
const unsigned long cds_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
const unsigned long cds_VIDIOC_QBUF = VIDIOC_QBUF;
const unsigned long cds_VIDIOC_DQBUF = VIDIOC_DQBUF;
const unsigned long cds_VIDIOC_STREAMON = VIDIOC_STREAMON;
const unsigned long cds_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;

const uint32_t cds_V4L2_PIX_FMT_YUV420 = V4L2_PIX_FMT_YUV420;
const uint32_t cds_V4L2_PIX_FMT_NV12 = V4L2_PIX_FMT_NV12;
const uint32_t cds_V4L2_PIX_FMT_YUYV = V4L2_PIX_FMT_YUYV;
const uint32_t cds_V4L2_PIX_FMT_MJPEG = V4L2_PIX_FMT_MJPEG;
