#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many times the calling thread has taken memory from the heap since it started; -1 where this cannot be counted
/// (under a sanitizer that has its own heap).
int64_t allocation_counter_value(void);

#endif
