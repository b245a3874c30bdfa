// SPDX-License-Identifier: Apache-2.0
// The HAL's streams on the host, for harness programs that need no core. Arguments: input file,
// output file (default: standard input and output). Counters read as zero.
#include "hal.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *input, *output;

__attribute__((constructor)) static void open_files(int argc, char **argv) {
  input = argc > 1 ? fopen(argv[1], "rb") : stdin;
  output = argc > 2 ? fopen(argv[2], "wb") : stdout;
  if (input == NULL || output == NULL) {
    fprintf(stderr, "cannot open the stream files\n");
    exit(EXIT_FAILURE);
  }
}

size_t hal_stream_read(void *buf, size_t n) {
  return fread(buf, 1, n, input);
}

void hal_stream_write(const void *buf, size_t n) {
  if (fwrite(buf, 1, n, output) != n) {
    fprintf(stderr, "cannot write the output\n");
    exit(EXIT_FAILURE);
  }
}

uint32_t hal_cycles(void) {
  return 0u;
}

uint32_t hal_instret(void) {
  return 0u;
}
