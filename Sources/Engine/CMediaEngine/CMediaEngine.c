/* Holds the layout that programs are built with: a structure may only grow at its end, where the old sizes stay valid. */
#include "CMediaEngine.h"

#if __SIZEOF_POINTER__ == 8
_Static_assert(sizeof(media_engine_callbacks) == 48, "media_engine_callbacks has changed");
_Static_assert(sizeof(media_engine_configuration) == 72, "media_engine_configuration has changed");
_Static_assert(sizeof(media_engine_connection) == 16, "media_engine_connection has changed");
_Static_assert(sizeof(media_engine_channel_options) == 48, "media_engine_channel_options has changed");
_Static_assert(sizeof(media_engine_video_encoder) == 20, "media_engine_video_encoder has changed");
_Static_assert(sizeof(media_engine_encryption) == 32, "media_engine_encryption has changed");
_Static_assert(sizeof(media_engine_picture) == 64, "media_engine_picture has changed");
_Static_assert(sizeof(media_engine_statistics) == 64, "media_engine_statistics has changed");
_Static_assert(sizeof(media_engine_event) == 104, "media_engine_event has changed");
_Static_assert(sizeof(media_engine_remote_picture) == 80, "media_engine_remote_picture has changed");
_Static_assert(sizeof(media_engine_sound) == 48, "media_engine_sound has changed");
#endif
