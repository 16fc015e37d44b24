#pragma once

#include <stdint.h>

// How many times the thread with this id (gettid) has taken memory from the heap since it started; 0 if never. Of the first
// 1,024 threads only; safe to call while they run.
int64_t thread_allocations(int32_t thread);
