// Stands between the program and glibc's heap, and counts for each thread. The linker prefers these definitions to libc's.
#define _GNU_SOURCE
#include "CThreadAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define LIMIT 1024
static struct {
  _Atomic int32_t thread;
  _Atomic int64_t count;
} slots[LIMIT];
static _Atomic int slot_count;
// The thread's slot, from 1; 0 before its first allocation, -1 if there was none left.
static __thread int own_slot;

static void count(void) {
  if (own_slot == 0) {
    int taken = atomic_fetch_add(&slot_count, 1) + 1;
    own_slot = taken <= LIMIT ? taken : -1;
    if (own_slot > 0) atomic_store(&slots[own_slot - 1].thread, gettid());
  }
  // Only the thread itself writes.
  if (own_slot > 0)
    atomic_store_explicit(&slots[own_slot - 1].count,
                          atomic_load_explicit(&slots[own_slot - 1].count, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

int64_t thread_allocations(int32_t thread) {
  // Backwards: the system uses the numbers of ended threads again.
  for (int index = LIMIT - 1; index >= 0; index--)
    if (atomic_load(&slots[index].thread) == thread) return atomic_load(&slots[index].count);
  return 0;
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
