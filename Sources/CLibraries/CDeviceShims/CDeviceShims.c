#define _GNU_SOURCE
#include "CDeviceShims.h"

#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <sys/inotify.h>
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

void *cds_map(int fd, uint32_t length, uint32_t offset) {
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  return memory == MAP_FAILED ? NULL : memory;
}

int cds_watch_directory(const char *path) {
  int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  // Rules of udev change mode and group after the node has been made.
  if (fd >= 0) (void)inotify_add_watch(fd, path, IN_CREATE | IN_ATTRIB);
  return fd;
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
const unsigned long cds_VIDIOC_G_FMT = VIDIOC_G_FMT;
const unsigned long cds_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
const unsigned long cds_VIDIOC_QUERYCTRL = VIDIOC_QUERYCTRL;
const unsigned long cds_VIDIOC_QUERYMENU = VIDIOC_QUERYMENU;
const unsigned long cds_VIDIOC_G_CTRL = VIDIOC_G_CTRL;
const unsigned long cds_VIDIOC_S_CTRL = VIDIOC_S_CTRL;
