/* Tells the thread sanitizer of order that libraries make which are not instrumented, and without which it reports races
 * that there are none. Preloaded by scripts/sanitize; not part of any target.
 *
 * - A contended Synchronization.Mutex: the lock's short way is compiled into whoever uses it and seen; its long way is in
 *   the standard library.
 * - What the callback of a GLib idle or timeout source is given was written before the source was attached. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
  static SWIFT void (*original)(uint32_t, SELF void *);
  if (!original) original = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK_SLOW);
  original(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) {
  static SWIFT void (*original)(SELF void *);
  if (!original) original = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(handle);
  original(handle);
}

typedef int (*source_function)(void *);
typedef void (*destroy_function)(void *);
struct callback {
  source_function function;
  destroy_function destroy;
  void *data;
};

static int run(void *argument) {
  if (__tsan_acquire) __tsan_acquire(argument);
  struct callback *callback = argument;
  return callback->function(callback->data);
}

static void destroy(void *argument) {
  if (__tsan_acquire) __tsan_acquire(argument);
  struct callback *callback = argument;
  if (callback->destroy) callback->destroy(callback->data);
  free(callback);
}

/* Other sources have callbacks of other types: only those that have just been made here are taken. */
static _Thread_local void *plain_source;

void *g_idle_source_new(void) {
  void *(*original)(void) = (void *(*)(void))dlsym(RTLD_NEXT, "g_idle_source_new");
  return plain_source = original();
}

void *g_timeout_source_new(unsigned interval) {
  void *(*original)(unsigned) = (void *(*)(unsigned))dlsym(RTLD_NEXT, "g_timeout_source_new");
  return plain_source = original(interval);
}

void g_source_set_callback(void *source, source_function function, void *data, destroy_function destroy_data) {
  static void (*original)(void *, source_function, void *, destroy_function);
  if (!original)
    original = (void (*)(void *, source_function, void *, destroy_function))dlsym(RTLD_NEXT, "g_source_set_callback");
  if (source != plain_source) {
    original(source, function, data, destroy_data);
    return;
  }
  plain_source = NULL;
  struct callback *callback = malloc(sizeof *callback);
  if (!callback) abort();
  *callback = (struct callback){function, destroy_data, data};
  if (__tsan_release) __tsan_release(callback);
  original(source, run, callback, destroy);
}
