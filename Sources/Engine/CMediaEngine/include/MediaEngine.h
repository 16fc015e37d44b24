#ifndef MEDIA_ENGINE_H
#define MEDIA_ENGINE_H

/* Greenroom's media engine for programs in C and C++: joins channels, publishes the camera and the microphone on any
 * number of them, receives others. docs/c-api.md is the guide.
 *
 * Engines. A handle is a number in disguise: it is never followed as a pointer, and the number of a destroyed engine is
 * never given again. A call with NULL, with a destroyed engine or with anything else that is no engine returns -7.
 *
 * Return codes. 0, or the negative value of a media_engine_error; nothing has changed then. All calls check their
 * arguments, take effect in the order in which they are made, and return at once; what takes time is reported by events.
 * A NULL where something is needed, a number out of its range or a wrong size is -2.
 *
 * Structures begin with their size, which the caller sets to sizeof: use the _INIT macros, or zero the structure and set
 * the size. A structure that is smaller than that of version 0.1 is -2, and so is one of more than 4,096 bytes. One that is
 * longer than the library knows (the program was built with a newer header) is taken if the bytes that the library does not
 * know are 0; otherwise the call returns -4. Zero always means "not set": the default, or in updates "leave it alone".
 * In structures that the library fills, as much is filled as the caller's size has room for.
 *
 * Threads. Every call may be made from any thread and from callbacks, media_engine_destroy included. Events come one
 * after the other on a thread of the engine's; pictures and sound come on threads of their own, at the same time as
 * events, and their callbacks must be quick: a few milliseconds for pictures, one for sound. What a callback is given is
 * valid until it returns.
 *
 * Strings are UTF-8, ended by a zero byte, and copied. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEDIA_ENGINE_VERSION_MAJOR 0
#define MEDIA_ENGINE_VERSION_MINOR 1
#define MEDIA_ENGINE_VERSION_PATCH 0

typedef struct media_engine media_engine;

/* The library's version, "0.1.0". Never NULL; lives as long as the library. */
const char *media_engine_version(void);

/* The name of an error, "joinRejected" for 17 and for -17; "unknown" for what is no error. Lives as long as the library. */
const char *media_engine_error_name(int32_t code);

/* What calls return (negative) and MEDIA_ENGINE_EVENT_ERROR tells (positive). */
typedef enum media_engine_error {
  MEDIA_ENGINE_ERROR_OK = 0,
  MEDIA_ENGINE_ERROR_FAILED = 1,
  MEDIA_ENGINE_ERROR_INVALID_ARGUMENT = 2,
  MEDIA_ENGINE_ERROR_NOT_READY = 3,
  MEDIA_ENGINE_ERROR_NOT_SUPPORTED = 4,
  MEDIA_ENGINE_ERROR_REFUSED = 5,
  MEDIA_ENGINE_ERROR_NOT_INITIALIZED = 7,
  MEDIA_ENGINE_ERROR_INVALID_STATE = 8,
  MEDIA_ENGINE_ERROR_TIMED_OUT = 10,
  MEDIA_ENGINE_ERROR_JOIN_REJECTED = 17,
  MEDIA_ENGINE_ERROR_LEAVE_REJECTED = 18,
  MEDIA_ENGINE_ERROR_INVALID_APP_ID = 101,
  MEDIA_ENGINE_ERROR_INVALID_CHANNEL_NAME = 102,
  MEDIA_ENGINE_ERROR_TOKEN_EXPIRED = 109,
  MEDIA_ENGINE_ERROR_INVALID_TOKEN = 110,
  MEDIA_ENGINE_ERROR_NOT_IN_CHANNEL = 113,
  MEDIA_ENGINE_ERROR_SIZE_TOO_LARGE = 114,
  MEDIA_ENGINE_ERROR_BITRATE_LIMIT = 115,
  MEDIA_ENGINE_ERROR_TOO_MANY_DATA_STREAMS = 116,
  MEDIA_ENGINE_ERROR_INVALID_USER_ID = 121,
  MEDIA_ENGINE_ERROR_CLIENT_IS_BANNED = 123
} media_engine_error;

/* A yes, a no, or neither: then an update leaves the present value alone, and a join takes the default. */
typedef enum media_engine_choice {
  MEDIA_ENGINE_UNSET = 0,
  MEDIA_ENGINE_YES = 1,
  MEDIA_ENGINE_NO = -1
} media_engine_choice;

typedef enum media_engine_role {
  MEDIA_ENGINE_ROLE_UNSET = 0,
  MEDIA_ENGINE_ROLE_BROADCASTER = 1,
  MEDIA_ENGINE_ROLE_AUDIENCE = 2
} media_engine_role;

typedef enum media_engine_latency_level {
  MEDIA_ENGINE_LATENCY_UNSET = 0,
  MEDIA_ENGINE_LATENCY_LOW = 1,
  MEDIA_ENGINE_LATENCY_ULTRA_LOW = 2
} media_engine_latency_level;

typedef enum media_engine_profile {
  MEDIA_ENGINE_PROFILE_UNSET = 0,
  MEDIA_ENGINE_PROFILE_COMMUNICATION = 1,
  MEDIA_ENGINE_PROFILE_LIVE = 2
} media_engine_profile;

typedef enum media_engine_connection_state {
  MEDIA_ENGINE_DISCONNECTED = 1,
  MEDIA_ENGINE_CONNECTING = 2,
  MEDIA_ENGINE_CONNECTED = 3,
  MEDIA_ENGINE_RECONNECTING = 4,
  MEDIA_ENGINE_CONNECTION_FAILED = 5
} media_engine_connection_state;

typedef enum media_engine_remote_state {
  MEDIA_ENGINE_REMOTE_STOPPED = 0,
  MEDIA_ENGINE_REMOTE_STARTING = 1,
  MEDIA_ENGINE_REMOTE_DECODING = 2,
  MEDIA_ENGINE_REMOTE_FROZEN = 3,
  MEDIA_ENGINE_REMOTE_FAILED = 4
} media_engine_remote_state;

typedef enum media_engine_offline_reason {
  MEDIA_ENGINE_OFFLINE_QUIT = 0,
  MEDIA_ENGINE_OFFLINE_DROPPED = 1,
  MEDIA_ENGINE_OFFLINE_BECAME_AUDIENCE = 2
} media_engine_offline_reason;

/* Where pictures or sound come from and go to. */
typedef enum media_engine_device {
  MEDIA_ENGINE_DEVICE_NONE = 0,   /* nothing is published; remote sound is decoded by the clock, for callbacks alone */
  MEDIA_ENGINE_DEVICE_PUSHED = 1, /* camera and microphone: the program pushes frames */
  MEDIA_ENGINE_DEVICE_SYSTEM = 2, /* a V4L2 camera, an ALSA microphone or speaker */
  MEDIA_ENGINE_DEVICE_TEST = 3    /* camera and microphone: a moving pattern, a tone */
} media_engine_device;

/* What is reported. In brackets: which fields of media_engine_event are set besides channel and local_uid. */
typedef enum media_engine_event_type {
  MEDIA_ENGINE_EVENT_JOINED = 1,              /* [uid: the own one, elapsed_ms] */
  MEDIA_ENGINE_EVENT_REJOINED = 2,            /* [uid: the own one, elapsed_ms] */
  MEDIA_ENGINE_EVENT_LEFT = 3,                /* [statistics] */
  MEDIA_ENGINE_EVENT_USER_JOINED = 4,         /* [uid, elapsed_ms] */
  MEDIA_ENGINE_EVENT_USER_OFFLINE = 5,        /* [uid, reason: media_engine_offline_reason] */
  MEDIA_ENGINE_EVENT_CONNECTION_CHANGED = 6,  /* [state: media_engine_connection_state, reason] */
  MEDIA_ENGINE_EVENT_INTERRUPTED = 7,         /* nothing has come from the server for 4 s */
  MEDIA_ENGINE_EVENT_LOST = 8,                /* nothing for 10 s more */
  MEDIA_ENGINE_EVENT_ERROR = 9,               /* [state: media_engine_error, text]; channel is NULL for devices */
  MEDIA_ENGINE_EVENT_REMOTE_VIDEO_STATE = 10, /* [uid, state: media_engine_remote_state, reason, elapsed_ms] */
  MEDIA_ENGINE_EVENT_REMOTE_AUDIO_STATE = 11, /* [uid, state: media_engine_remote_state, reason, elapsed_ms] */
  MEDIA_ENGINE_EVENT_FIRST_LOCAL_VIDEO = 12,  /* [width, height, elapsed_ms]; channel is NULL */
  MEDIA_ENGINE_EVENT_VIDEO_PUBLISHED = 13,    /* the first picture has been sent [elapsed_ms] */
  MEDIA_ENGINE_EVENT_AUDIO_PUBLISHED = 14,    /* the first sound has been sent [elapsed_ms] */
  MEDIA_ENGINE_EVENT_FIRST_REMOTE_VIDEO = 15, /* decoded [uid, width, height, elapsed_ms] */
  MEDIA_ENGINE_EVENT_FIRST_REMOTE_AUDIO = 16, /* decoded [uid, elapsed_ms] */
  MEDIA_ENGINE_EVENT_VIDEO_SIZE = 17,         /* [uid, width, height, rotation]; channel is NULL for the local camera */
  MEDIA_ENGINE_EVENT_LOCAL_VIDEO_STATE = 18,  /* [state, reason]; channel is NULL */
  MEDIA_ENGINE_EVENT_LOCAL_AUDIO_STATE = 19,  /* [state, reason]; channel is NULL */
  MEDIA_ENGINE_EVENT_ROLE_CHANGED = 20,       /* [old_state, state: media_engine_role] */
  MEDIA_ENGINE_EVENT_ROLE_REFUSED = 21,       /* [state: the role that stays, reason] */
  MEDIA_ENGINE_EVENT_USER_STATE = 22,         /* [uid, state: bits 1 audio muted, 2 video muted, 16 video module on,
                                                 256 camera on] */
  MEDIA_ENGINE_EVENT_STREAM_MESSAGE = 23,     /* [uid, stream_id, data, data_size] */
  MEDIA_ENGINE_EVENT_STREAM_MESSAGES_LOST = 24, /* [uid, stream_id, state: media_engine_error, reason: how many] */
  MEDIA_ENGINE_EVENT_STATISTICS = 25,         /* every 2 s [statistics] */
  MEDIA_ENGINE_EVENT_VOLUMES = 26,            /* [speakers, speaker_count, state: total, 0 to 255] */
  MEDIA_ENGINE_EVENT_ACTIVE_SPEAKER = 27,     /* [uid] */
  MEDIA_ENGINE_EVENT_SNAPSHOT = 28,           /* [uid, text: the path, width, height, state: 0, -1 not written, -2 no
                                                 picture within 1 s, -3 too soon after the one before] */
  MEDIA_ENGINE_EVENT_TOKEN_WILL_EXPIRE = 29,  /* in 30 s or less [text: the token] */
  MEDIA_ENGINE_EVENT_TOKEN_REQUESTED = 30,    /* the token has run out: join again with a new one */
  MEDIA_ENGINE_EVENT_TOKEN_RENEWED = 31,      /* [text: the token, state: 0 if the server took it, 1 failed, 2 it has
                                                 expired, 3 it is for another user or forged, 4 for another channel, 5 for
                                                 another application, 6 a newer one came] */
  MEDIA_ENGINE_EVENT_NETWORK_QUALITY = 32,    /* every 2 s [uid: 0 for the local user, state: of the way to the server,
                                                 reason: of the way from it; both media_engine_quality] */
  MEDIA_ENGINE_EVENT_NETWORK_TYPE = 33,       /* at the first join and at changes [state: media_engine_network_type];
                                                 channel is NULL */
  MEDIA_ENGINE_EVENT_ENCRYPTION_ERROR = 34,   /* every 5 s at most [uid, 0 for the local user; state:
                                                 media_engine_encryption_error_type] */
  MEDIA_ENGINE_EVENT_WARNING = 35,            /* something is not as it should be, and the engine goes on by itself
                                                 [state: media_engine_warning, text]; channel is NULL for devices */
  MEDIA_ENGINE_EVENT_PERMISSION_ERROR = 36    /* the system does not allow this process to open a device
                                                 [state: media_engine_permission]; channel is NULL */
} media_engine_event_type;

/* What MEDIA_ENGINE_EVENT_WARNING tells. */
typedef enum media_engine_warning {
  MEDIA_ENGINE_WARNING_LOOKUP_CHANNEL_TIMEOUT = 104,      /* the server has not been reached in time: tried again */
  MEDIA_ENGINE_WARNING_OPEN_CHANNEL_TIMEOUT = 106,        /* not let in in time, or no media path: tried again */
  MEDIA_ENGINE_WARNING_OPEN_CHANNEL_REJECTED = 107,       /* not as broadcaster: joins as audience */
  MEDIA_ENGINE_WARNING_SET_CLIENT_ROLE_TIMEOUT = 118,     /* no answer to a change of role yet */
  MEDIA_ENGINE_WARNING_OPEN_CHANNEL_INVALID_TICKET = 121, /* a new token not taken: joins with the one before */
  MEDIA_ENGINE_WARNING_OPEN_CHANNEL_TRY_NEXT_SERVER = 122, /* the server goes out of service: joins again */
  MEDIA_ENGINE_WARNING_CONNECTION_UNRECOVERABLE = 131,    /* nothing comes any more: made anew */
  MEDIA_ENGINE_WARNING_CONNECTION_IP_CHANGED = 132,       /* this machine has another address: followed */
  MEDIA_ENGINE_WARNING_CONNECTION_SOCKET_ERROR = 134,     /* not opened, or broken: tried again */
  MEDIA_ENGINE_WARNING_RUNTIME_PLAYOUT = 1014,            /* the speaker is away for now */
  MEDIA_ENGINE_WARNING_RUNTIME_RECORDING = 1016,          /* the microphone is away for now */
  MEDIA_ENGINE_WARNING_RECORD_AUDIO_SILENCE = 1019,       /* the microphone has delivered silence for 10 s */
  MEDIA_ENGINE_WARNING_PLAYOUT_MALFUNCTION = 1020,        /* the speaker does not work */
  MEDIA_ENGINE_WARNING_RECORD_AUDIO_LOW_LEVEL = 1031,     /* the microphone has been below -60 dB for 20 s */
  MEDIA_ENGINE_WARNING_GLITCH = 1052                      /* the speaker has had gaps */
} media_engine_warning;

typedef enum media_engine_permission {
  MEDIA_ENGINE_PERMISSION_RECORD_AUDIO = 0,
  MEDIA_ENGINE_PERMISSION_CAMERA = 1
} media_engine_permission;

typedef enum media_engine_quality {
  MEDIA_ENGINE_QUALITY_UNKNOWN = 0,
  MEDIA_ENGINE_QUALITY_EXCELLENT = 1,
  MEDIA_ENGINE_QUALITY_GOOD = 2,
  MEDIA_ENGINE_QUALITY_POOR = 3,
  MEDIA_ENGINE_QUALITY_BAD = 4,
  MEDIA_ENGINE_QUALITY_VERY_BAD = 5,
  MEDIA_ENGINE_QUALITY_DOWN = 6
} media_engine_quality;

/* By what this machine is connected. */
typedef enum media_engine_network_type {
  MEDIA_ENGINE_NETWORK_DISCONNECTED = 0,
  MEDIA_ENGINE_NETWORK_LAN = 1,
  MEDIA_ENGINE_NETWORK_WIFI = 2,
  MEDIA_ENGINE_NETWORK_MOBILE = 5 /* of whatever generation */
} media_engine_network_type;

typedef enum media_engine_encryption_error_type {
  MEDIA_ENGINE_ENCRYPTION_INTERNAL_FAILURE = 0,
  MEDIA_ENGINE_ENCRYPTION_DECRYPTION_FAILURE = 1, /* another key than this side's, or none */
  MEDIA_ENGINE_ENCRYPTION_ENCRYPTION_FAILURE = 2,
  MEDIA_ENGINE_ENCRYPTION_DATA_DECRYPTION_FAILURE = 3,
  MEDIA_ENGINE_ENCRYPTION_DATA_ENCRYPTION_FAILURE = 4
} media_engine_encryption_error_type;

/* How to encrypt between the ends. Everybody in the channel needs the same. */
typedef enum media_engine_encryption_mode {
  MEDIA_ENGINE_ENCRYPTION_DEFAULT = 0, /* MEDIA_ENGINE_ENCRYPTION_AES_128_GCM2 */
  MEDIA_ENGINE_ENCRYPTION_AES_128_GCM = 5,
  MEDIA_ENGINE_ENCRYPTION_AES_256_GCM = 6,
  MEDIA_ENGINE_ENCRYPTION_AES_128_GCM2 = 7, /* with a salt */
  MEDIA_ENGINE_ENCRYPTION_AES_256_GCM2 = 8  /* with a salt */
} media_engine_encryption_mode;

/* Totals of a connection, and rates over the last 2 s. All since it was joined. */
typedef struct media_engine_statistics {
  uint32_t size;
  uint32_t duration_s;
  uint64_t sent_bytes;     /* UDP payload */
  uint64_t received_bytes; /* UDP payload */
  uint32_t sent_kbps;
  uint32_t received_kbps;
  uint32_t round_trip_ms;    /* 0: not known */
  uint32_t sent_loss_percent; /* before recovery; 0 if the server has not said */
  uint32_t received_loss_percent;
  uint32_t user_count;      /* who is seen, this side included */
  uint32_t uplink_kbps;     /* how much may be sent in all; 0: not known */
  uint32_t video_target_kbps; /* what the camera's encoder aims at; 0 while no pictures are sent, and in totals */
  uint32_t downlink_kbps;   /* how much may come in all, as the server says; 0: not known */
  uint32_t downlink_queue_ms; /* how long packets from the server wait beyond the least time */
} media_engine_statistics;

typedef struct media_engine_speaker {
  uint32_t uid; /* 0: the local user */
  int32_t volume; /* 0 to 255 */
  int32_t speaks; /* 1 or 0; 1 for every remote user */
} media_engine_speaker;

typedef struct media_engine_event {
  uint32_t size;
  int32_t type;        /* media_engine_event_type; there may be more in newer libraries: let them pass */
  const char *channel; /* NULL where the event is of no connection */
  uint32_t local_uid;
  uint32_t uid;
  int32_t state;
  int32_t old_state;
  int32_t reason;
  int32_t elapsed_ms; /* since the connection's join call */
  int32_t width;
  int32_t height;
  int32_t rotation; /* 0, 90, 180 or 270: clockwise, to be applied by who shows the picture */
  int32_t stream_id;
  const char *text;
  const uint8_t *data;
  size_t data_size;
  const media_engine_statistics *statistics;
  const media_engine_speaker *speakers;
  size_t speaker_count;
} media_engine_event;

/* A decoded picture: I420, BT.601 limited range. The chroma planes have half the width and height, rounded up. */
typedef struct media_engine_remote_picture {
  uint32_t size;
  uint32_t uid;
  const char *channel;
  uint32_t local_uid;
  int32_t width;
  int32_t height;
  int32_t rotation; /* 0, 90, 180 or 270: clockwise, still to be applied */
  const uint8_t *planes[3]; /* Y, U, V */
  int32_t strides[3];       /* bytes from one row to the next */
  int64_t receive_time_ns;  /* when it had come from the network, on CLOCK_MONOTONIC */
} media_engine_remote_picture;

typedef enum media_engine_sound_position {
  MEDIA_ENGINE_SOUND_RECORDED = 1, /* as the microphone delivered it */
  MEDIA_ENGINE_SOUND_REMOTE = 2,   /* one remote user's, before mixing and volumes */
  MEDIA_ENGINE_SOUND_PLAYBACK = 3  /* what is played: everything remote, mixed */
} media_engine_sound_position;

/* 10 ms of sound: signed 16-bit samples, channels interleaved. */
typedef struct media_engine_sound {
  uint32_t size;
  int32_t position; /* media_engine_sound_position */
  const char *channel; /* NULL unless remote; so uid and local_uid 0 */
  uint32_t local_uid;
  uint32_t uid;
  const int16_t *samples; /* frame_count * channel_count */
  int32_t frame_count;
  int32_t channel_count; /* 1 or 2 */
  int32_t sample_rate;   /* 48,000 */
  int32_t level;         /* 0 (silent) to 255 */
} media_engine_sound;

/* What the engine calls. Each may be NULL; context is handed through. */
typedef struct media_engine_callbacks {
  uint32_t size;
  void *context;
  void (*event)(void *context, media_engine *engine, const media_engine_event *event);
  void (*picture)(void *context, media_engine *engine, const media_engine_remote_picture *picture);
  void (*sound)(void *context, media_engine *engine, const media_engine_sound *sound);
  /* The last call of all: the context may be freed. Comes once, before media_engine_destroy returns, unless that was
   * called inside a callback: then soon after. */
  void (*destroyed)(void *context);
} media_engine_callbacks;

/* How an engine is made. */
typedef struct media_engine_configuration {
  uint32_t size;
  int32_t profile;    /* media_engine_profile of channels that are joined without one; unset: live */
  const char *server; /* "ws://HOST:PORT" or "wss://HOST:PORT"; needed */
  const char *app_id; /* for the program's own use: neither sent nor checked; NULL: none */
  const char *trusted_certificates; /* a PEM file that a wss server is checked by; NULL: what the system trusts */
  int32_t camera;     /* media_engine_device */
  int32_t microphone; /* media_engine_device */
  int32_t speaker;    /* media_engine_device: none or system */
  int32_t audio_bitrate; /* bits per second, 6,000 to 510,000; 0: 48,000 */
  const char *camera_path;     /* of a system camera, "/dev/video0"; NULL: the first */
  const char *microphone_name; /* of a system microphone, as ALSA names it; NULL: "default" */
  const char *speaker_name;    /* of a system speaker, as ALSA names it; NULL: "default" */
} media_engine_configuration;

/* Names one connection of an engine. Where calls take NULL for it they mean the default connection, that of
 * media_engine_join. */
typedef struct media_engine_connection {
  uint32_t size;
  uint32_t local_uid; /* 1 to 4,294,967,295 */
  const char *channel;
} media_engine_connection;

/* What to publish and receive. */
typedef struct media_engine_channel_options {
  uint32_t size;
  int32_t publish_camera;     /* media_engine_choice; default yes, without effect for an audience */
  int32_t publish_microphone; /* media_engine_choice; default yes, without effect for an audience */
  int32_t subscribe_audio;    /* media_engine_choice; default yes */
  int32_t subscribe_video;    /* media_engine_choice; default yes */
  int32_t use_audio_devices;  /* media_engine_choice; default yes; no: no microphone is published */
  int32_t role;               /* media_engine_role; default audience */
  int32_t latency_level;      /* media_engine_latency_level, of an audience; default ultra-low */
  int32_t profile;            /* media_engine_profile, read at join alone; default the engine's */
  const char *token;          /* a new token; read on updates alone */
} media_engine_channel_options;

/* What to encode; all values are ceilings. 0 takes the default. */
typedef struct media_engine_video_encoder {
  uint32_t size;
  int32_t width;      /* pixels, 16 to 4,096; default 960 */
  int32_t height;     /* pixels, 16 to 4,096; default 540 */
  int32_t frame_rate; /* 1 to 60; default 15 */
  int32_t bitrate_kbps; /* up to 20,000; 0 lets the engine choose */
} media_engine_video_encoder;

/* A secret that the server never gets. */
typedef struct media_engine_encryption {
  uint32_t size;
  int32_t mode;        /* media_engine_encryption_mode */
  const char *key;     /* in any form that everybody has alike, and hard to guess; needed, not empty */
  const uint8_t *salt; /* 32 bytes that need not be secret; NULL: none. Used by the modes with a salt */
  int32_t data_streams; /* media_engine_choice: whether messages are encrypted too; default yes */
  int32_t reserved;     /* 0 */
} media_engine_encryption;

/* A picture to publish: I420. */
typedef struct media_engine_picture {
  uint32_t size;
  int32_t width;  /* 16 to 4,096 */
  int32_t height; /* 16 to 4,096 */
  int32_t rotation; /* 0, 90, 180 or 270: clockwise, to be applied by receivers */
  const uint8_t *planes[3]; /* Y, U, V; copied */
  int32_t strides[3];       /* bytes from one row to the next; at least the plane's width, at most 65,536 */
  int64_t capture_time_ns;  /* on CLOCK_MONOTONIC; 0: now */
} media_engine_picture;

#define MEDIA_ENGINE_CALLBACKS_INIT { .size = sizeof(media_engine_callbacks) }
#define MEDIA_ENGINE_CONFIGURATION_INIT { .size = sizeof(media_engine_configuration) }
#define MEDIA_ENGINE_CONNECTION_INIT { .size = sizeof(media_engine_connection) }
#define MEDIA_ENGINE_CHANNEL_OPTIONS_INIT { .size = sizeof(media_engine_channel_options) }
#define MEDIA_ENGINE_VIDEO_ENCODER_INIT { .size = sizeof(media_engine_video_encoder) }
#define MEDIA_ENGINE_ENCRYPTION_INIT { .size = sizeof(media_engine_encryption) }
#define MEDIA_ENGINE_PICTURE_INIT { .size = sizeof(media_engine_picture) }
#define MEDIA_ENGINE_STATISTICS_INIT { .size = sizeof(media_engine_statistics) }

/* Makes an engine; devices and network are not touched before they are needed. callbacks may be NULL. *engine is NULL
 * unless 0 is returned. Returns 0; -2, -4. */
int32_t media_engine_create(
    const media_engine_configuration *configuration, const media_engine_callbacks *callbacks, media_engine **engine);

/* Leaves everything, frees every thread, socket and device. When it returns no callback runs and none will come any more,
 * unless it was called inside a callback: then the rest happens by itself, and `destroyed` tells the end. Other calls that
 * other threads are in meanwhile end as they would, or with -7. Returns 0; -7. */
int32_t media_engine_destroy(media_engine *engine);

/* Joins a channel as the engine's default connection. token: NULL where the server asks for none. channel: 1 to 63 bytes
 * of letters, digits and some punctuation. uid: 0 lets the server choose. options: NULL for the defaults.
 * Returns 0; -2, -4, -17 (joined already, and not failed), -102 (channel), -7. */
int32_t media_engine_join(
    media_engine *engine, const char *token, const char *channel, uint32_t uid,
    const media_engine_channel_options *options);

/* Joins one more channel. Returns 0; -2, -4, -5 (empty channel), -17 (this pair is in use), -102 (channel), -121 (uid 0),
 * -7. */
int32_t media_engine_join_ex(
    media_engine *engine, const char *token, const media_engine_connection *connection,
    const media_engine_channel_options *options);

/* Leaves every channel. MEDIA_ENGINE_EVENT_LEFT follows for each. Returns 0; -18 (in none), -7. */
int32_t media_engine_leave(media_engine *engine);

/* Leaves one channel. Returns 0; -2, -18 (not joined), -7. */
int32_t media_engine_leave_ex(media_engine *engine, const media_engine_connection *connection);

/* Changes what a connection publishes and receives, its role and its token; unset fields stay as they are.
 * Returns 0; -2 (also an empty token), -4, -8 (not in a channel), -7. */
int32_t media_engine_update_channel_options(
    media_engine *engine, const media_engine_connection *connection, const media_engine_channel_options *options);

/* Sets the role on the default connection, now or for the next join. Returns 0; -2, -7. */
int32_t media_engine_set_client_role(media_engine *engine, int32_t role, int32_t latency_level);

/* Replaces a connection's token before it ends; when it has ended (MEDIA_ENGINE_EVENT_TOKEN_REQUESTED), join again.
 * Returns 0; -2, -8 (not in a channel, or ended), -7. */
int32_t media_engine_renew_token(
    media_engine *engine, const media_engine_connection *connection, const char *token);

/* Encrypts between the ends what a connection sends, and takes only what is encrypted with the same key; encryption NULL
 * turns it off. connection NULL: for the default connection of now and of later joins; call it before joining, and nothing
 * is ever sent in the clear. A connection of media_engine_join_ex is encrypted by a call right after the join, before
 * anything can be sent. Another key takes effect at once; the one before is good for receiving for 10 s more.
 * Returns 0; -2 (no key), -4 (the mode), -8 (no such connection), -7. */
int32_t media_engine_enable_encryption(
    media_engine *engine, const media_engine_connection *connection, const media_engine_encryption *encryption);

/* Goes on with a key that follows from the present one, which does not follow from it. Receivers follow by themselves.
 * Returns 0; -2, -8 (no such connection, or not encrypted), -7. */
int32_t media_engine_ratchet_encryption_key(media_engine *engine, const media_engine_connection *connection);

/* The state of a connection: media_engine_connection_state, or -2, -7. One that is not there is disconnected. */
int32_t media_engine_get_connection_state(media_engine *engine, const media_engine_connection *connection);

/* A connection's totals as of now. Returns 0; -2, -8 (not in a channel), -7. */
int32_t media_engine_get_statistics(
    media_engine *engine, const media_engine_connection *connection, media_engine_statistics *statistics);

/* What to encode; connection NULL: at once and for later connections. Returns 0; -2, -4, -8 (no such connection), -7. */
int32_t media_engine_set_video_encoder(
    media_engine *engine, const media_engine_connection *connection, const media_engine_video_encoder *encoder);

/* Sends a second, smaller stream of the camera for receivers who ask for it or whose bandwidth is short. Returns 0; -7. */
int32_t media_engine_enable_dual_stream(media_engine *engine, int32_t enabled);

/* Turns camera or microphone on or off for all connections. A camera that is turned on again is published when
 * publish_camera is set again. Return 0; -7. */
int32_t media_engine_enable_local_video(media_engine *engine, int32_t enabled);
int32_t media_engine_enable_local_audio(media_engine *engine, int32_t enabled);

/* Turns a module on or off: nothing of the kind is captured, published or received while it is off. Return 0; -7. */
int32_t media_engine_enable_video(media_engine *engine, int32_t enabled);
int32_t media_engine_enable_audio(media_engine *engine, int32_t enabled);

/* Captures for the local view even when nothing is published. Return 0; -7. */
int32_t media_engine_start_preview(media_engine *engine);
int32_t media_engine_stop_preview(media_engine *engine);

/* Tries microphone and speaker before joining: what is said is heard interval_s later, 2 to 10. Return 0; -2, -3 (there is
 * no microphone), -8 (in a channel, or a test runs), -5 (none runs), -7. */
int32_t media_engine_start_echo_test(media_engine *engine, int32_t interval_s);
int32_t media_engine_stop_echo_test(media_engine *engine);

/* Stops or resumes sending on one connection; capture goes on. connection NULL: outside a channel it is how the next default
 * connection begins. Return 0; -2, -8 (no such connection), -7. */
int32_t media_engine_mute_local_video(
    media_engine *engine, const media_engine_connection *connection, int32_t mute);
int32_t media_engine_mute_local_audio(
    media_engine *engine, const media_engine_connection *connection, int32_t mute);

/* Stops or resumes receiving one user, or with uid 0 everybody, present and future. Return 0; -2, -8 (not in a channel),
 * -7. */
int32_t media_engine_mute_remote_video(
    media_engine *engine, const media_engine_connection *connection, uint32_t uid, int32_t mute);
int32_t media_engine_mute_remote_audio(
    media_engine *engine, const media_engine_connection *connection, uint32_t uid, int32_t mute);

/* Which stream of a user who sends two is received: low 0 or 1. Returns 0; -2, -8, -121 (uid 0), -7. */
int32_t media_engine_set_remote_video_stream(
    media_engine *engine, const media_engine_connection *connection, uint32_t uid, int32_t low);

/* Percent of what the microphone delivers, of what everybody together is played with: 0 to 400; of one user: 0 to 100,
 * remembered for users who are not there yet. Return 0; -2, -8, -121 (uid 0), -7. */
int32_t media_engine_adjust_recording_volume(media_engine *engine, int32_t percent);
int32_t media_engine_adjust_playback_volume(media_engine *engine, int32_t percent);
int32_t media_engine_adjust_user_volume(
    media_engine *engine, const media_engine_connection *connection, uint32_t uid, int32_t percent);

/* Reports who is how loud. interval_ms: more than 10; 0 or less ends it. smooth: 0 to 10. Returns 0; -2, -7. */
int32_t media_engine_enable_volume_indication(media_engine *engine, int32_t interval_ms, int32_t smooth);

/* Opens a data stream to everybody in the channel. Returns its number, 1 to 5; -2, -8, -116 (five are open), -7. */
int32_t media_engine_create_data_stream(media_engine *engine, const media_engine_connection *connection);

/* Sends 1 to 1,024 bytes on a data stream; all streams of a connection together 6,144 bytes and 30 messages a second.
 * Returns 0; -2, -5 (an audience), -9 (the token does not allow it), -8, -113 (not connected), -114 (too long), -115 (too much), -7. */
int32_t media_engine_send_stream_message(
    media_engine *engine, const media_engine_connection *connection, int32_t stream_id, const void *data, size_t size);

/* Writes the next picture of a user (0: what is published) to a .jpg or .png file; MEDIA_ENGINE_EVENT_SNAPSHOT tells the
 * end. Returns 0; -2, -8, -7. */
int32_t media_engine_take_snapshot(
    media_engine *engine, const media_engine_connection *connection, uint32_t uid, const char *path);

/* Shows a user (0: the local camera) in a window of its own. title NULL takes the user's views away. Returns 0; -2, -7. */
int32_t media_engine_show_in_window(
    media_engine *engine, const media_engine_connection *connection, uint32_t uid, const char *title);

/* Gives the engine a picture of a pushed camera. Returns 0; -2, -4, -3 (the camera is off: the picture is dropped), -5 (the
 * engine's camera is another one), -7. */
int32_t media_engine_push_picture(media_engine *engine, const media_engine_picture *picture);

/* Gives the engine sound of a pushed microphone, as it is recorded: frame_count, 1 to 4,800, of signed 16-bit samples at
 * 48 kHz, channel_count 1 or 2, interleaved. Returns 0; -2, -3 (the microphone is off: the sound is dropped), -5 (the
 * engine's microphone is another one), -7. */
int32_t media_engine_push_sound(
    media_engine *engine, const int16_t *samples, int32_t frame_count, int32_t channel_count);

#ifdef __cplusplus
}
#endif

#endif
