/* Names the C libraries that CMake has found: they compile and link. */
#include <libsoup/soup.h>
#include <libv4l2.h>
#include <libyuv.h>
#include <opus/opus.h>
#include <stdio.h>
#include <vpx/vpx_codec.h>

int main(void) {
  printf("%s, libvpx %s, libsoup %u.%u, libyuv %d\n", opus_get_version_string(), vpx_codec_version_str(),
         soup_get_major_version(), soup_get_minor_version(), LIBYUV_VERSION);
  return v4l2_close(-1) == -1 && TestCpuFlag(-1) != 0 ? 0 : 1;
}
