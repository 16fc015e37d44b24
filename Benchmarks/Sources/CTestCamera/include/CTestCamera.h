#pragma once
// A V4L2 camera in this process: 1280x720, 30 pictures a second, with the time of each as its driver would give it. It takes the
// place of V4L2Capture's own system calls (ld's --wrap), for the path below and no other.
#include <stdint.h>

#define TEST_CAMERA_PATH "/dev/video-test"

// The layout of its pictures from the next opening on: YUYV or NV12 as four characters.
void test_camera_set_layout(const char *layout);
