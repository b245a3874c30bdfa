// SPDX-License-Identifier: Apache-2.0
// Places of functions, for small caches.
#ifndef AES_HOT_H
#define AES_HOT_H

// Paths for unaligned buffers and rare lengths are elsewhere: they take no room in a cache.
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline, cold))

// What a message runs: in sections that a linker script puts together (sw/hal/link.ld), where GCC
// keeps the order of the source and takes rare blocks out.
#if defined __has_attribute
#if __has_attribute(no_reorder) && __has_attribute(optimize)
#define HOT __attribute__((noinline, hot, no_reorder, optimize("reorder-blocks-and-partition")))
#endif
#endif
#ifndef HOT
#define HOT __attribute__((noinline, hot))
#endif

#endif
