#pragma once
// Variadic calls and macros of ALSA and V4L2 for Swift. No logic here.
#include <stdint.h>

// Has ALSA keep its messages to itself instead of writing them to standard error.
void cds_alsa_silence(void);

// Has libv4l2 write its messages to `/dev/null` instead of standard error. To be called once; keeps a descriptor.
void cds_v4l2_silence(void);
// open(2) for reading and writing, nonblocking, close on exec.
int cds_open(const char *path);
// v4l2_ioctl(3); `argument` is the structure that the request names.
int cds_v4l2_ioctl(int fd, unsigned long request, void *argument);
// ioctl(2), for a descriptor that libv4l2 does not know.
int cds_ioctl(int fd, unsigned long request, void *argument);

// v4l2_mmap(3) of a buffer for reading and writing, shared; NULL if it fails.
void *cds_v4l2_map(int fd, uint32_t length, uint32_t offset);

// mmap(2) in the same way, for a descriptor that libv4l2 does not know.
void *cds_map(int fd, uint32_t length, uint32_t offset);

// A descriptor that becomes readable when files appear in a directory or get another mode (inotify(7)); -1 if there is none.
int cds_watch_directory(const char *path);

extern const unsigned long cds_VIDIOC_QUERYCAP;
extern const unsigned long cds_VIDIOC_ENUM_FMT;
extern const unsigned long cds_VIDIOC_TRY_FMT;
extern const unsigned long cds_VIDIOC_S_FMT;
extern const unsigned long cds_VIDIOC_ENUM_FRAMEINTERVALS;
extern const unsigned long cds_VIDIOC_S_PARM;
extern const unsigned long cds_VIDIOC_REQBUFS;
extern const unsigned long cds_VIDIOC_QUERYBUF;
extern const unsigned long cds_VIDIOC_QBUF;
extern const unsigned long cds_VIDIOC_DQBUF;
extern const unsigned long cds_VIDIOC_STREAMON;
extern const unsigned long cds_VIDIOC_STREAMOFF;
extern const unsigned long cds_VIDIOC_G_FMT;
extern const unsigned long cds_VIDIOC_ENUM_FRAMESIZES;
extern const unsigned long cds_VIDIOC_QUERYCTRL;
extern const unsigned long cds_VIDIOC_QUERYMENU;
extern const unsigned long cds_VIDIOC_G_CTRL;
extern const unsigned long cds_VIDIOC_S_CTRL;
