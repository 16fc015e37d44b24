#define _GNU_SOURCE
#include "CTestCamera.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { width = 1280, height = 720, rate = 30, most_buffers = 8 };

static const int64_t interval = 1000000000 / rate;
static uint32_t layout = V4L2_PIX_FMT_YUYV;
static int camera = -1;
static uint32_t queued[most_buffers];
static int queued_count;
static int64_t begin;
static uint64_t sequence;

int __real_cds_open(const char *path);
int __real_cds_ioctl(int fd, unsigned long request, void *argument);
void *__real_cds_map(int fd, uint32_t length, uint32_t offset);

void test_camera_set_layout(const char *name) { layout = v4l2_fourcc(name[0], name[1], name[2], name[3]); }

static uint32_t line_size(void) { return layout == V4L2_PIX_FMT_YUYV ? width * 2 : width; }
static uint32_t picture_size(void) { return layout == V4L2_PIX_FMT_YUYV ? width * height * 2 : width * height * 3 / 2; }

// The timer is the camera: it is readable whenever a picture is due.
int __wrap_cds_open(const char *path) {
  if (strcmp(path, TEST_CAMERA_PATH) != 0) return __real_cds_open(path);
  camera = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  queued_count = 0;
  return camera;
}

void *__wrap_cds_map(int fd, uint32_t length, uint32_t offset) {
  if (fd != camera) return __real_cds_map(fd, length, offset);
  uint8_t *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  // Smooth in one direction and restless in the other.
  for (uint32_t index = 0; index < length; index++) memory[index] = (uint8_t)(index / 2560 + (index % 7) * 9 + offset);
  return memory;
}

static int start(int is_on) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  begin = now.tv_sec * 1000000000 + now.tv_nsec;
  sequence = 0;
  int64_t first = begin + interval;
  struct itimerspec times = {{0, is_on ? interval : 0}, {is_on ? first / 1000000000 : 0, is_on ? first % 1000000000 : 0}};
  return timerfd_settime(camera, TFD_TIMER_ABSTIME, &times, NULL);
}

static int dequeue(struct v4l2_buffer *buffer) {
  uint64_t ticks = 0;
  if (queued_count == 0 || read(camera, &ticks, sizeof ticks) != sizeof ticks) return errno = EAGAIN, -1;
  sequence += ticks;
  int64_t time = begin + (int64_t)sequence * interval;
  buffer->index = queued[0];
  memmove(queued, queued + 1, (size_t)--queued_count * sizeof queued[0]);
  buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  buffer->bytesused = picture_size();
  buffer->sequence = (uint32_t)sequence;
  buffer->timestamp.tv_sec = time / 1000000000;
  buffer->timestamp.tv_usec = time % 1000000000 / 1000;
  return 0;
}

static int describe(unsigned long request, void *argument) {
  switch (request) {
  case VIDIOC_QUERYCAP: {
    struct v4l2_capability *capability = argument;
    memset(capability, 0, sizeof *capability);
    strcpy((char *)capability->card, "camera in memory");
    capability->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    return 0;
  }
  case VIDIOC_ENUM_FMT: {
    struct v4l2_fmtdesc *format = argument;
    if (format->index > 0) break;
    format->pixelformat = layout;
    return 0;
  }
  case VIDIOC_ENUM_FRAMESIZES: {
    struct v4l2_frmsizeenum *size = argument;
    if (size->index > 0) break;
    size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
    size->discrete.width = width;
    size->discrete.height = height;
    return 0;
  }
  case VIDIOC_ENUM_FRAMEINTERVALS: {
    struct v4l2_frmivalenum *step = argument;
    if (step->index > 0) break;
    step->type = V4L2_FRMIVAL_TYPE_DISCRETE;
    step->discrete.numerator = 1;
    step->discrete.denominator = rate;
    return 0;
  }
  case VIDIOC_S_FMT: {
    struct v4l2_pix_format *picture = &((struct v4l2_format *)argument)->fmt.pix;
    picture->width = width;
    picture->height = height;
    picture->pixelformat = layout;
    picture->bytesperline = line_size();
    picture->sizeimage = picture_size();
    return 0;
  }
  case VIDIOC_S_PARM: return 0;
  }
  errno = EINVAL;
  return -1;
}

int __wrap_cds_ioctl(int fd, unsigned long request, void *argument) {
  if (fd != camera) return __real_cds_ioctl(fd, request, argument);
  struct v4l2_buffer *buffer = argument;
  switch (request) {
  case VIDIOC_REQBUFS: {
    struct v4l2_requestbuffers *wanted = argument;
    if (wanted->count > most_buffers) wanted->count = most_buffers;
    queued_count = 0;
    return 0;
  }
  case VIDIOC_QUERYBUF:
    buffer->length = picture_size();
    buffer->m.offset = buffer->index * picture_size();
    return 0;
  case VIDIOC_QBUF:
    if (queued_count < most_buffers) queued[queued_count++] = buffer->index;
    return 0;
  case VIDIOC_DQBUF: return dequeue(buffer);
  case VIDIOC_STREAMON: return start(1);
  case VIDIOC_STREAMOFF: return start(0);
  default: return describe(request, argument);
  }
}
