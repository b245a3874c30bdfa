// SPDX-License-Identifier: Apache-2.0
// wolfSSL's memory (XMALLOC_USER): a static array of ARENA_BYTES, the first place that fits. When
// it is full, wolfSSL ends the connection with MEMORY_E.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARENA_BYTES 28672u  // a multiple of ALIGNMENT
#define ALIGNMENT 8u

// Of an area and this header; areas follow each other and fill the arena.
struct area {
  uint32_t bytes, taken;
};

#define HEADER sizeof(struct area)

void *XMALLOC(size_t n, void *heap, int type);
void XFREE(void *p, void *heap, int type);
void *XREALLOC(void *p, size_t n, void *heap, int type);

static unsigned char arena[ARENA_BYTES] __attribute__((aligned(ALIGNMENT)));

static struct area *at(size_t offset) { return (struct area *)(void *)(arena + offset); }

void *XMALLOC(size_t n, void *heap, int type) {
  (void)heap;
  (void)type;
  if (n > ARENA_BYTES - HEADER) return NULL;
  const size_t wanted = HEADER + (n + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
  if (at(0)->bytes == 0u) at(0)->bytes = ARENA_BYTES;
  for (size_t offset = 0; offset < ARENA_BYTES; offset += at(offset)->bytes) {
    struct area *const area = at(offset);
    if (area->taken != 0u) continue;
    for (size_t next = offset + area->bytes; next < ARENA_BYTES && at(next)->taken == 0u;
         next = offset + area->bytes) {
      area->bytes += at(next)->bytes;
    }
    if (area->bytes < wanted) continue;
    if (area->bytes - wanted > HEADER) {
      *at(offset + wanted) = (struct area){area->bytes - (uint32_t)wanted, 0};
      area->bytes = (uint32_t)wanted;
    }
    area->taken = 1;
    return area + 1;
  }
  return NULL;
}

void XFREE(void *p, void *heap, int type) {
  (void)heap;
  (void)type;
  if (p != NULL) ((struct area *)p - 1)->taken = 0;
}

void *XREALLOC(void *p, size_t n, void *heap, int type) {
  void *const moved = XMALLOC(n, heap, type);
  if (p != NULL && moved != NULL) {
    const size_t held = ((struct area *)p - 1)->bytes - HEADER;
    memcpy(moved, p, held < n ? held : n);
    XFREE(p, heap, type);
  }
  return moved;
}
