/* show SERVER: a host publishes pictures and sound of its own making, encrypted between the ends; a viewer with the key
 * receives them, in the same process but over the server; a stranger without it gets nothing. Prints what comes; ends with 0
 * when enough has come and all have left. */
#include <MediaEngine.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 320, HEIGHT = 180, FRAME_RATE = 20, SAMPLES = 480, HOST = 1, VIEWER = 2, STRANGER = 3 };

/* What the viewer has seen, counted on the engine's threads. */
struct viewer {
  atomic_int pictures, right_pictures, loud_sounds;
  atomic_int joined, left, destroyed, message_is_right, refusals;
};

static void wait_ms(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void check(const char *what, int32_t code) {
  if (code >= 0) return;
  fprintf(stderr, "%s: %d (%s)\n", what, code, media_engine_error_name(code));
  exit(1);
}

static void on_event(void *context, media_engine *engine, const media_engine_event *event) {
  struct viewer *viewer = context;
  (void)engine;
  switch (event->type) {
    case MEDIA_ENGINE_EVENT_JOINED:
      printf("%u has joined %s after %d ms\n", event->uid, event->channel, event->elapsed_ms);
      atomic_fetch_add(&viewer->joined, 1);
      break;
    case MEDIA_ENGINE_EVENT_USER_JOINED: printf("%u sees %u\n", event->local_uid, event->uid); break;
    case MEDIA_ENGINE_EVENT_USER_OFFLINE: printf("%u has gone, reason %d\n", event->uid, event->reason); break;
    case MEDIA_ENGINE_EVENT_FIRST_REMOTE_VIDEO:
      printf("first picture of %u: %dx%d after %d ms\n", event->uid, event->width, event->height, event->elapsed_ms);
      break;
    case MEDIA_ENGINE_EVENT_FIRST_REMOTE_AUDIO: printf("first sound of %u\n", event->uid); break;
    case MEDIA_ENGINE_EVENT_STREAM_MESSAGE:
      printf("message of %u: %.*s\n", event->uid, (int)event->data_size, (const char *)event->data);
      if (event->data_size == 5 && memcmp(event->data, "hello", 5) == 0) atomic_store(&viewer->message_is_right, 1);
      break;
    case MEDIA_ENGINE_EVENT_LEFT:
      printf("left %s: %llu bytes received\n", event->channel,
             (unsigned long long)event->statistics->received_bytes);
      atomic_fetch_add(&viewer->left, 1);
      break;
    case MEDIA_ENGINE_EVENT_ENCRYPTION_ERROR:
      if (event->state == MEDIA_ENGINE_ENCRYPTION_DECRYPTION_FAILURE) atomic_fetch_add(&viewer->refusals, 1);
      break;
    case MEDIA_ENGINE_EVENT_ERROR: printf("error %d: %s\n", event->state, event->text); break;
    default: break;
  }
}

/* The host's pictures are dark with a bright square in the middle. */
static int is_bright(const media_engine_remote_picture *picture, int x, int y) {
  return picture->planes[0][(size_t)y * (size_t)picture->strides[0] + (size_t)x] > 128;
}

static void on_picture(void *context, media_engine *engine, const media_engine_remote_picture *picture) {
  struct viewer *viewer = context;
  (void)engine;
  atomic_fetch_add(&viewer->pictures, 1);
  if (picture->uid == HOST && is_bright(picture, picture->width / 2, picture->height / 2) &&
      !is_bright(picture, picture->width / 16, picture->height / 16))
    atomic_fetch_add(&viewer->right_pictures, 1);
}

static void on_sound(void *context, media_engine *engine, const media_engine_sound *sound) {
  struct viewer *viewer = context;
  (void)engine;
  if (sound->position == MEDIA_ENGINE_SOUND_REMOTE && sound->uid == HOST && sound->level > 100)
    atomic_fetch_add(&viewer->loud_sounds, 1);
}

static void on_destroyed(void *context) { atomic_fetch_add(&((struct viewer *)context)->destroyed, 1); }

static media_engine *make(const char *server, int32_t devices, struct viewer *viewer) {
  media_engine_configuration configuration = MEDIA_ENGINE_CONFIGURATION_INIT;
  configuration.server = server;
  configuration.camera = devices;
  configuration.microphone = devices;
  media_engine_callbacks callbacks = MEDIA_ENGINE_CALLBACKS_INIT;
  callbacks.context = viewer;
  callbacks.event = on_event;
  callbacks.picture = on_picture;
  callbacks.sound = on_sound;
  callbacks.destroyed = on_destroyed;
  media_engine *engine = NULL;
  check("create", media_engine_create(&configuration, &callbacks, &engine));
  return engine;
}

static void push_picture(media_engine *engine) {
  static uint8_t luma[WIDTH * HEIGHT], blue[WIDTH * HEIGHT / 4], red[WIDTH * HEIGHT / 4];
  memset(luma, 40, sizeof luma);
  memset(blue, 110, sizeof blue);
  memset(red, 150, sizeof red);
  for (int y = HEIGHT / 4; y < HEIGHT * 3 / 4; y++) memset(luma + y * WIDTH + WIDTH / 4, 220, WIDTH / 2);
  media_engine_picture picture = MEDIA_ENGINE_PICTURE_INIT;
  picture.width = WIDTH;
  picture.height = HEIGHT;
  picture.planes[0] = luma;
  picture.planes[1] = blue;
  picture.planes[2] = red;
  picture.strides[0] = WIDTH;
  picture.strides[1] = picture.strides[2] = WIDTH / 2;
  int32_t code = media_engine_push_picture(engine, &picture);
  if (code != -MEDIA_ENGINE_ERROR_NOT_READY) check("push_picture", code); /* it takes a moment to want pictures */
}

static void push_sound(media_engine *engine) {
  static int16_t samples[SAMPLES];
  static int time;
  for (int i = 0; i < SAMPLES; i++, time++) samples[i] = (int16_t)(12000 * sin(time * 2 * 3.14159265 * 440 / 48000));
  int32_t code = media_engine_push_sound(engine, samples, SAMPLES, 1);
  if (code != -MEDIA_ENGINE_ERROR_NOT_READY) check("push_sound", code);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: show ws://HOST:PORT\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("MediaEngine %s\n", media_engine_version());
  struct viewer seen = {0}, unseen = {0}, strange = {0};
  media_engine *host = make(argv[1], MEDIA_ENGINE_DEVICE_PUSHED, &unseen);
  media_engine *viewer = make(argv[1], MEDIA_ENGINE_DEVICE_NONE, &seen);
  media_engine *stranger = make(argv[1], MEDIA_ENGINE_DEVICE_NONE, &strange);
  media_engine_encryption encryption = MEDIA_ENGINE_ENCRYPTION_INIT;
  encryption.key = "6f1e0a9d53c84b27";
  check("enable_encryption", media_engine_enable_encryption(host, NULL, &encryption));
  check("enable_encryption", media_engine_enable_encryption(viewer, NULL, &encryption));
  encryption.key = "a guess";
  check("enable_encryption", media_engine_enable_encryption(stranger, NULL, &encryption));

  media_engine_video_encoder encoder = MEDIA_ENGINE_VIDEO_ENCODER_INIT;
  encoder.width = WIDTH;
  encoder.height = HEIGHT;
  encoder.frame_rate = FRAME_RATE;
  check("set_video_encoder", media_engine_set_video_encoder(host, NULL, &encoder));
  media_engine_channel_options options = MEDIA_ENGINE_CHANNEL_OPTIONS_INIT;
  options.role = MEDIA_ENGINE_ROLE_BROADCASTER;
  check("join", media_engine_join(host, NULL, "show", HOST, &options));
  check("join", media_engine_join(viewer, NULL, "show", VIEWER, NULL));
  check("join", media_engine_join(stranger, NULL, "show", STRANGER, NULL));

  int stream = media_engine_create_data_stream(host, NULL);
  check("create_data_stream", stream);
  int is_enough = 0, has_sent = 0;
  for (int tick = 0; tick < 6000 && !is_enough; tick++) { /* 10 ms each */
    push_sound(host);
    if (tick % (100 / FRAME_RATE) == 0) push_picture(host);
    if (!has_sent && atomic_load(&seen.joined) && atomic_load(&seen.pictures))
      has_sent = media_engine_send_stream_message(host, NULL, stream, "hello", 5) == 0;
    is_enough = atomic_load(&seen.right_pictures) >= 20 && atomic_load(&seen.loud_sounds) >= 50 &&
                atomic_load(&seen.message_is_right) && atomic_load(&strange.refusals);
    if (tick == 100) check("ratchet_encryption_key", media_engine_ratchet_encryption_key(host, NULL));
    wait_ms(10);
  }

  check("leave", media_engine_leave(viewer));
  check("leave", media_engine_leave(host));
  check("leave", media_engine_leave(stranger));
  for (int i = 0; i < 1000 && !(atomic_load(&seen.left) && atomic_load(&unseen.left)); i++) wait_ms(10);
  check("destroy", media_engine_destroy(viewer));
  check("destroy", media_engine_destroy(host));
  check("destroy", media_engine_destroy(stranger));
  printf("pictures %d, right %d; loud sounds %d; left %d; destroyed %d\n", atomic_load(&seen.pictures),
         atomic_load(&seen.right_pictures), atomic_load(&seen.loud_sounds), atomic_load(&seen.left),
         atomic_load(&seen.destroyed) + atomic_load(&unseen.destroyed));
  int is_right = is_enough && atomic_load(&seen.left) == 1 && atomic_load(&unseen.left) == 1 &&
                 atomic_load(&seen.destroyed) == 1 && atomic_load(&unseen.destroyed) == 1 &&
                 atomic_load(&strange.pictures) == 0 && atomic_load(&strange.loud_sounds) == 0;
  printf(is_right ? "show: done\n" : "show: not everything came\n");
  return is_right ? 0 : 1;
}
