// SPDX-License-Identifier: Apache-2.0
// An interrupt before any chosen access to memory: code built with -fsanitize=thread calls these
// functions before each of its accesses, and nothing of that sanitizer's library is linked. Names
// as in GCC's documentation of the option; only sizes that the driver has.
#include <stddef.h>

// The handler is called before this access, counted from 1 (0: never); a handler's own are not
// counted.
unsigned steps_interrupt, steps_taken;
void (*steps_handler)(void);

static void step(void)
{
  if (++steps_taken == steps_interrupt) {
    steps_interrupt = 0;
    steps_handler();
    steps_taken = 0;
  }
}

#define ACCESS(name)      \
  void name(void *at);    \
  void name(void *at)     \
  {                       \
    (void)at;             \
    step();               \
  }
#define SIZE(size)                       \
  ACCESS(__tsan_read##size)              \
  ACCESS(__tsan_write##size)             \
  ACCESS(__tsan_volatile_read##size)     \
  ACCESS(__tsan_volatile_write##size)
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)
ACCESS(__tsan_unaligned_read8)
ACCESS(__tsan_unaligned_write8)
ACCESS(__tsan_unaligned_read16)
ACCESS(__tsan_unaligned_write16)

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
  (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}
