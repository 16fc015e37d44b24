/* misuse SERVER: does everything wrong that a program can do, and holds what it is told against the header. */
#include <MediaEngine.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static atomic_int failures;

static void expect(const char *what, int32_t got, int32_t wanted) {
  if (got == wanted) return;
  printf("%s: %d (%s), not %d\n", what, got, media_engine_error_name(got), wanted);
  failures++;
}

#define EXPECT(call, wanted) expect(#call, call, wanted)

static const char *server;

static media_engine *make(const media_engine_callbacks *callbacks) {
  media_engine_configuration configuration = MEDIA_ENGINE_CONFIGURATION_INIT;
  configuration.server = server;
  configuration.camera = MEDIA_ENGINE_DEVICE_PUSHED;
  configuration.microphone = MEDIA_ENGINE_DEVICE_PUSHED;
  media_engine *engine = NULL;
  expect("create", media_engine_create(&configuration, callbacks, &engine), 0);
  return engine;
}

/* Every call on what is no engine. */
static void all_calls_return(media_engine *engine, int32_t code) {
  media_engine_connection connection = MEDIA_ENGINE_CONNECTION_INIT;
  connection.channel = "show";
  connection.local_uid = 1;
  media_engine_channel_options options = MEDIA_ENGINE_CHANNEL_OPTIONS_INIT;
  media_engine_video_encoder encoder = MEDIA_ENGINE_VIDEO_ENCODER_INIT;
  media_engine_picture picture = MEDIA_ENGINE_PICTURE_INIT;
  media_engine_statistics statistics = MEDIA_ENGINE_STATISTICS_INIT;
  int16_t samples[480] = {0};
  EXPECT(media_engine_join(engine, NULL, "show", 1, NULL), code);
  EXPECT(media_engine_join_ex(engine, NULL, &connection, NULL), code);
  EXPECT(media_engine_leave(engine), code);
  EXPECT(media_engine_leave_ex(engine, &connection), code);
  EXPECT(media_engine_update_channel_options(engine, NULL, &options), code);
  EXPECT(media_engine_set_client_role(engine, 1, 0), code);
  EXPECT(media_engine_renew_token(engine, NULL, "token"), code);
  EXPECT(media_engine_enable_encryption(engine, NULL, NULL), code);
  EXPECT(media_engine_ratchet_encryption_key(engine, NULL), code);
  EXPECT(media_engine_start_echo_test(engine, 2), code);
  EXPECT(media_engine_stop_echo_test(engine), code);
  EXPECT(media_engine_get_connection_state(engine, NULL), code);
  EXPECT(media_engine_get_statistics(engine, NULL, &statistics), code);
  EXPECT(media_engine_set_video_encoder(engine, NULL, &encoder), code);
  EXPECT(media_engine_enable_dual_stream(engine, 1), code);
  EXPECT(media_engine_enable_local_video(engine, 1), code);
  EXPECT(media_engine_enable_local_audio(engine, 1), code);
  EXPECT(media_engine_enable_video(engine, 1), code);
  EXPECT(media_engine_enable_audio(engine, 1), code);
  EXPECT(media_engine_start_preview(engine), code);
  EXPECT(media_engine_stop_preview(engine), code);
  EXPECT(media_engine_mute_local_video(engine, NULL, 1), code);
  EXPECT(media_engine_mute_local_audio(engine, NULL, 1), code);
  EXPECT(media_engine_mute_remote_video(engine, NULL, 1, 1), code);
  EXPECT(media_engine_mute_remote_audio(engine, NULL, 1, 1), code);
  EXPECT(media_engine_set_remote_video_stream(engine, NULL, 1, 1), code);
  EXPECT(media_engine_adjust_recording_volume(engine, 100), code);
  EXPECT(media_engine_adjust_playback_volume(engine, 100), code);
  EXPECT(media_engine_adjust_user_volume(engine, NULL, 1, 100), code);
  EXPECT(media_engine_enable_volume_indication(engine, 200, 3), code);
  EXPECT(media_engine_create_data_stream(engine, NULL), code);
  EXPECT(media_engine_send_stream_message(engine, NULL, 1, "x", 1), code);
  EXPECT(media_engine_take_snapshot(engine, NULL, 1, "x.png"), code);
  EXPECT(media_engine_show_in_window(engine, NULL, 1, NULL), code);
  EXPECT(media_engine_push_picture(engine, &picture), code);
  EXPECT(media_engine_push_sound(engine, samples, 480, 1), code);
  EXPECT(media_engine_destroy(engine), code);
}

static void wrong_configurations(void) {
  media_engine_configuration configuration = MEDIA_ENGINE_CONFIGURATION_INIT;
  media_engine *engine = (media_engine *)&configuration;
  EXPECT(media_engine_create(NULL, NULL, &engine), -2);
  if (engine) expect("the handle of a refused engine", 1, 0);
  EXPECT(media_engine_create(&configuration, NULL, NULL), -2);
  EXPECT(media_engine_create(&configuration, NULL, &engine), -2); /* no server */
  configuration.server = "http://127.0.0.1";
  EXPECT(media_engine_create(&configuration, NULL, &engine), -2);
  configuration.server = server;
  configuration.camera = 4;
  EXPECT(media_engine_create(&configuration, NULL, &engine), -2);
  configuration.camera = 0;
  configuration.speaker = MEDIA_ENGINE_DEVICE_PUSHED;
  EXPECT(media_engine_create(&configuration, NULL, &engine), -2);
  configuration.speaker = 0;
  configuration.audio_bitrate = 5999;
  EXPECT(media_engine_create(&configuration, NULL, &engine), -2);
  configuration.audio_bitrate = 0;
  configuration.profile = 3;
  EXPECT(media_engine_create(&configuration, NULL, &engine), -2);
  media_engine_callbacks callbacks = {0};
  configuration.profile = 0;
  EXPECT(media_engine_create(&configuration, &callbacks, &engine), -2);
}

static void wrong_encryption(media_engine *engine) {
  media_engine_connection nowhere = MEDIA_ENGINE_CONNECTION_INIT;
  nowhere.channel = "nowhere";
  nowhere.local_uid = 1;
  media_engine_encryption encryption = MEDIA_ENGINE_ENCRYPTION_INIT;
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -2); /* no key */
  encryption.key = "";
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -2);
  encryption.key = "key";
  EXPECT(media_engine_enable_encryption(engine, &nowhere, &encryption), -8);
  EXPECT(media_engine_enable_encryption(engine, &nowhere, NULL), -8);
  encryption.mode = 1; /* without authentication */
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -4);
  encryption.mode = 99;
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -2);
  encryption.mode = 0;
  encryption.data_streams = 2;
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -2);
  encryption.data_streams = 0;
  encryption.reserved = 1;
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -4);
  encryption.reserved = 0;
  encryption.size--;
  EXPECT(media_engine_enable_encryption(engine, NULL, &encryption), -2);
  EXPECT(media_engine_ratchet_encryption_key(engine, NULL), -8);
}

static void wrong_echo_tests(media_engine *engine) {
  EXPECT(media_engine_stop_echo_test(engine), -5);
  EXPECT(media_engine_start_echo_test(engine, 1), -2);
  EXPECT(media_engine_start_echo_test(engine, 11), -2);
  EXPECT(media_engine_start_echo_test(engine, 2), 0);
  EXPECT(media_engine_start_echo_test(engine, 2), -8);
  EXPECT(media_engine_join(engine, NULL, "misuse", 1, NULL), -8);
  EXPECT(media_engine_stop_echo_test(engine), 0);
}

static void wrong_sizes(media_engine *engine) {
  /* As a program that was built with a longer structure would pass it; on the heap, so that nothing beyond is read. */
  size_t longer = sizeof(media_engine_channel_options) + 16;
  media_engine_channel_options *options = calloc(1, longer);
  uint32_t wrong[] = {0, 1, sizeof *options - 1, 4097, UINT32_MAX};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    options->size = wrong[i];
    EXPECT(media_engine_join(engine, NULL, "show", 1, options), -2);
  }
  options->size = (uint32_t)longer;
  EXPECT(media_engine_update_channel_options(engine, NULL, options), -8); /* taken: not in a channel */
  ((uint8_t *)options)[longer - 1] = 1;
  EXPECT(media_engine_update_channel_options(engine, NULL, options), -4);
  free(options);
  uint32_t *small = malloc(sizeof *small);
  *small = sizeof *small;
  EXPECT(media_engine_get_statistics(engine, NULL, (media_engine_statistics *)small), -2);
  /* That of version 0.1, which has grown since. */
  uint32_t *first = calloc(1, 48);
  *first = 47;
  EXPECT(media_engine_get_statistics(engine, NULL, (media_engine_statistics *)first), -2);
  *first = 48;
  EXPECT(media_engine_get_statistics(engine, NULL, (media_engine_statistics *)first), -8); /* taken: not in a channel */
  free(first);
  EXPECT(media_engine_set_video_encoder(engine, NULL, (media_engine_video_encoder *)small), -2);
  EXPECT(media_engine_push_picture(engine, (media_engine_picture *)small), -2);
  EXPECT(media_engine_leave_ex(engine, (media_engine_connection *)small), -2);
  free(small);
}

static void wrong_values(media_engine *engine) {
  media_engine_connection connection = MEDIA_ENGINE_CONNECTION_INIT;
  EXPECT(media_engine_join(engine, NULL, NULL, 1, NULL), -2);
  EXPECT(media_engine_join(engine, NULL, "", 1, NULL), -102);
  EXPECT(media_engine_join(engine, NULL, "caf\xe9", 1, NULL), -102); /* no UTF-8 */
  EXPECT(media_engine_join_ex(engine, NULL, NULL, NULL), -2);
  EXPECT(media_engine_join_ex(engine, NULL, &connection, NULL), -2); /* no channel */
  connection.channel = "";
  connection.local_uid = 1;
  EXPECT(media_engine_join_ex(engine, NULL, &connection, NULL), -5);
  connection.channel = "show";
  connection.local_uid = 0;
  EXPECT(media_engine_join_ex(engine, NULL, &connection, NULL), -121);
  media_engine_channel_options options = MEDIA_ENGINE_CHANNEL_OPTIONS_INIT;
  options.publish_camera = 2;
  EXPECT(media_engine_join(engine, NULL, "show", 1, &options), -2);
  options.publish_camera = 0;
  options.role = 3;
  EXPECT(media_engine_join(engine, NULL, "show", 1, &options), -2);
  EXPECT(media_engine_leave(engine), -18);
  EXPECT(media_engine_leave_ex(engine, NULL), -2);
  EXPECT(media_engine_update_channel_options(engine, NULL, NULL), -2);
  EXPECT(media_engine_set_client_role(engine, 0, 0), -2);
  EXPECT(media_engine_set_client_role(engine, 1, 3), -2);
  EXPECT(media_engine_renew_token(engine, NULL, NULL), -2);
  EXPECT(media_engine_renew_token(engine, NULL, ""), -2);
  EXPECT(media_engine_renew_token(engine, NULL, "token"), -8);
  EXPECT(media_engine_get_connection_state(engine, NULL), MEDIA_ENGINE_DISCONNECTED);
  media_engine_statistics statistics = MEDIA_ENGINE_STATISTICS_INIT;
  EXPECT(media_engine_get_statistics(engine, NULL, NULL), -2);
  EXPECT(media_engine_get_statistics(engine, NULL, &statistics), -8);
  media_engine_video_encoder encoder = MEDIA_ENGINE_VIDEO_ENCODER_INIT;
  EXPECT(media_engine_set_video_encoder(engine, NULL, NULL), -2);
  encoder.width = 15;
  EXPECT(media_engine_set_video_encoder(engine, NULL, &encoder), -2);
  encoder.width = 0;
  encoder.bitrate_kbps = -1;
  EXPECT(media_engine_set_video_encoder(engine, NULL, &encoder), -2);
  EXPECT(media_engine_adjust_recording_volume(engine, -1), -2);
  EXPECT(media_engine_adjust_playback_volume(engine, 401), -2);
  EXPECT(media_engine_adjust_user_volume(engine, NULL, 1, 100), -8);
  EXPECT(media_engine_enable_volume_indication(engine, 5, 3), -2);
  EXPECT(media_engine_enable_volume_indication(engine, 200, 11), -2);
  EXPECT(media_engine_create_data_stream(engine, NULL), -8);
  EXPECT(media_engine_send_stream_message(engine, NULL, 1, NULL, 1), -2);
  EXPECT(media_engine_send_stream_message(engine, NULL, 1, "x", 0), -2);
  EXPECT(media_engine_send_stream_message(engine, NULL, 1, "x", (size_t)-1), -114);
  EXPECT(media_engine_take_snapshot(engine, NULL, 1, NULL), -2);
  EXPECT(media_engine_take_snapshot(engine, NULL, 1, "x.png"), -8);
  if (strcmp(media_engine_error_name(-17), "joinRejected") || strcmp(media_engine_error_name(17), "joinRejected") ||
      strcmp(media_engine_error_name(INT32_MIN), "unknown") || strcmp(media_engine_error_name(4711), "unknown"))
    expect("error names", 1, 0);
}

static void wrong_media(media_engine *engine) {
  uint8_t *plane = calloc(16, 16);
  media_engine_picture picture = MEDIA_ENGINE_PICTURE_INIT;
  picture.width = picture.height = 16;
  picture.strides[0] = 16;
  picture.strides[1] = picture.strides[2] = 8;
  EXPECT(media_engine_push_picture(engine, NULL), -2);
  EXPECT(media_engine_push_picture(engine, &picture), -2); /* no planes */
  picture.planes[0] = picture.planes[1] = picture.planes[2] = plane;
  EXPECT(media_engine_push_picture(engine, &picture), -3); /* nobody wants it */
  picture.strides[0] = 15;
  EXPECT(media_engine_push_picture(engine, &picture), -2);
  picture.strides[0] = -16;
  EXPECT(media_engine_push_picture(engine, &picture), -2);
  picture.strides[0] = 16;
  picture.rotation = 45;
  EXPECT(media_engine_push_picture(engine, &picture), -2);
  picture.rotation = 0;
  picture.width = INT32_MAX;
  EXPECT(media_engine_push_picture(engine, &picture), -2);
  int16_t samples[2] = {0};
  EXPECT(media_engine_push_sound(engine, NULL, 480, 1), -2);
  EXPECT(media_engine_push_sound(engine, samples, 0, 1), -2);
  EXPECT(media_engine_push_sound(engine, samples, 4801, 1), -2);
  EXPECT(media_engine_push_sound(engine, samples, 1, 3), -2);
  EXPECT(media_engine_push_sound(engine, samples, 1, 2), -3); /* nobody wants it */
  free(plane);
  media_engine_configuration configuration = MEDIA_ENGINE_CONFIGURATION_INIT;
  configuration.server = server;
  media_engine *deaf = NULL;
  EXPECT(media_engine_create(&configuration, NULL, &deaf), 0);
  picture.width = 16;
  EXPECT(media_engine_push_picture(deaf, &picture), -5);
  EXPECT(media_engine_push_sound(deaf, samples, 1, 2), -5);
  EXPECT(media_engine_destroy(deaf), 0);
}

/* The engine is destroyed in its first callback; its context is freed in the last. */
struct short_life {
  atomic_int *end;
  int events;
};

static void destroy_at_once(void *context, media_engine *engine, const media_engine_event *event) {
  struct short_life *life = context;
  (void)event;
  if (life->events++ == 0) {
    EXPECT(media_engine_destroy(engine), 0);
    EXPECT(media_engine_destroy(engine), -7);
    EXPECT(media_engine_leave(engine), -7);
  } else {
    expect("a callback after destroy", 1, 0);
  }
}

static void free_life(void *context) {
  struct short_life *life = context;
  atomic_int *end = life->end;
  free(life);
  atomic_fetch_add(end, 1);
}

static void destroy_inside_callback(void) {
  atomic_int end = 0;
  struct short_life *life = calloc(1, sizeof *life);
  life->end = &end;
  media_engine_callbacks callbacks = MEDIA_ENGINE_CALLBACKS_INIT;
  callbacks.context = life;
  callbacks.event = destroy_at_once;
  callbacks.destroyed = free_life;
  media_engine *engine = make(&callbacks);
  int32_t code = media_engine_join(engine, NULL, "misuse", 1, NULL);
  expect("join", code, 0);
  for (int i = 0; i < 3000 && !atomic_load(&end); i++) nanosleep(&(struct timespec){0, 10000000}, NULL);
  expect("ends of an engine that was destroyed in a callback", atomic_load(&end), 1);
}

/* What is heard of the program's own sound brings more of it, from inside the callback. */
static int echoes;

static void push_inside(void *context, media_engine *engine, const media_engine_sound *sound) {
  int16_t samples[480] = {0};
  (void)context;
  if (sound->position != MEDIA_ENGINE_SOUND_RECORDED || echoes == 3) return;
  echoes++;
  EXPECT(media_engine_push_sound(engine, samples, 480, 1), 0);
}

static void push_inside_callback(void) {
  media_engine_callbacks callbacks = MEDIA_ENGINE_CALLBACKS_INIT;
  callbacks.sound = push_inside;
  media_engine *engine = make(&callbacks);
  int16_t samples[480] = {0};
  EXPECT(media_engine_start_echo_test(engine, 2), 0);
  int32_t code = -3;
  for (int i = 0; i < 500 && code == -3; i++) {
    code = media_engine_push_sound(engine, samples, 480, 1);
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  expect("pushing", code, 0);
  EXPECT(media_engine_destroy(engine), 0);
  expect("pieces pushed inside a callback", echoes, 3);
}

/* Several threads use an engine while it is destroyed: each call has its code, and one destroy has the 0. */
static atomic_int destroyed;

static void *hammer(void *argument) {
  media_engine *engine = argument;
  media_engine_channel_options options = MEDIA_ENGINE_CHANNEL_OPTIONS_INIT;
  options.role = MEDIA_ENGINE_ROLE_BROADCASTER;
  int16_t samples[480] = {0};
  for (int i = 0; i < 200; i++) {
    int32_t codes[] = {
        media_engine_join(engine, NULL, "misuse", 2, &options), media_engine_mute_local_video(engine, NULL, i & 1),
        media_engine_push_sound(engine, samples, 480, 1), media_engine_leave(engine)};
    for (int call = 0; call < 4; call++) {
      int32_t code = codes[call];
      if (code != 0 && code != -7 && code != -17 && code != -8 && code != -3 && code != -18) expect("a call", code, 0);
    }
  }
  if (media_engine_destroy(engine) == 0) atomic_fetch_add(&destroyed, 1);
  return NULL;
}

static void several_threads(void) {
  media_engine *engine = make(NULL);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, hammer, engine);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  expect("destroys that did it", atomic_load(&destroyed), 1);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  server = argv[1];
  all_calls_return(NULL, -7);
  int here = 0;
  all_calls_return((media_engine *)&here, -7);
  wrong_configurations();
  media_engine *engine = make(NULL);
  wrong_sizes(engine);
  wrong_values(engine);
  wrong_media(engine);
  wrong_encryption(engine);
  wrong_echo_tests(engine);
  EXPECT(media_engine_destroy(engine), 0);
  all_calls_return(engine, -7);
  destroy_inside_callback();
  push_inside_callback();
  several_threads();
  printf(failures ? "misuse: %d failures\n" : "misuse: done\n", atomic_load(&failures));
  return failures ? 1 : 0;
}
