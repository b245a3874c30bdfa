// SPDX-License-Identifier: Apache-2.0
// The operations that a kernel gives its unit, and what becomes of a wrong answer to each.
//
// Arguments: mode, direction, and in hexadecimal key, IV, two blocks of text, a block of associated
// data. The kernel runs on the unit's emulation: key set-up, then both blocks, or a message of
// AES-GCM: of a block, or for decryption a block and its tag. Then, for each operation, it runs
// again in a process of its own with this operation's answer inverted. Output: "result HEX", then a
// line an operation: kind of a step (step.py), operation, three operands, answer, in
// hexadecimal. Kinds: 0, nothing follows from the answer; 1, the kernel waits for another one; 2,
// the result is wrong and the status says AES_OK; 3, the status is an error, or the kernel begins
// again and is right.
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aes_gcm.h"
#include "aes_modes.h"

#define MOST 16384u
#define SECONDS 5u  // a kernel that has not ended by then waits in vain
#define TAG 16u

enum { NOTHING, WAITS, WRONG, ALERT };

static struct operation {
  uint32_t op, rs1, rs2, rs3, answer;
} operations[MOST];
static unsigned count;
static unsigned inverted = MOST;  // the operation whose answer is

uint32_t traced(uint32_t op, uint32_t rs1, uint32_t rs2, uint32_t rs3, uint32_t answer) {
  if (count == MOST) {
    fprintf(stderr, "more than %u operations\n", MOST);
    exit(2);
  }
  operations[count] = (struct operation){op, rs1, rs2, rs3, answer};
  return count++ == inverted ? ~answer : answer;
}

// ---- the operation of the kernel ----------------------------------------------------------------

static uint32_t key[8], iv[4], text[8], aad[4], result[12];
static size_t result_bytes = 32;

static unsigned key_bits;

static void parse(const char *hex, uint32_t *words, size_t most) {
  for (size_t i = 0; i < most && hex[2 * i] != '\0'; i++) {
    unsigned byte;
    if (sscanf(hex + 2 * i, "%2x", &byte) != 1) exit(2);
    ((uint8_t *)words)[i] = (uint8_t)byte;
  }
}

static int gcm(const char *direction) {
  const uint8_t *const nonce = (const uint8_t *)iv, *const more = (const uint8_t *)aad;
  uint8_t *const out = (uint8_t *)result;
  aes_gcm_key_t k;
  int status = aes_gcm_set_key(&k, (const uint8_t *)key, key_bits);
  if (status != AES_OK) return status;
  if (strcmp(direction, "encrypt") == 0) {
    result_bytes = 16 + TAG;
    return aes_gcm_encrypt(&k, nonce, 12, more, 16, (const uint8_t *)text, out, 16, out + 16, TAG);
  }
  result_bytes = 16;
  return aes_gcm_decrypt(&k, nonce, 12, more, 16, (const uint8_t *)text, out, 16,
                         (const uint8_t *)text + 16, TAG);
}

static int blocks(const char *mode, const char *direction) {
  const int encrypt = strcmp(direction, "encrypt") == 0, ctr = strcmp(mode, "ctr") == 0;
  const uint8_t *const in = (const uint8_t *)text;
  uint8_t *const out = (uint8_t *)result, *const chain = (uint8_t *)iv;
  aes_key_t k;
  int status = encrypt || ctr ? aes_set_encrypt_key(&k, (const uint8_t *)key, key_bits)
                              : aes_set_decrypt_key(&k, (const uint8_t *)key, key_bits);
  if (status != AES_OK) return status;
  if (ctr) return aes_ctr(&k, chain, in, out, 32);
  if (strcmp(mode, "cbc") == 0) {
    return encrypt ? aes_cbc_encrypt(&k, chain, in, out, 2)
                   : aes_cbc_decrypt(&k, chain, in, out, 2);
  }
  return encrypt ? aes_ecb_encrypt(&k, in, out, 2) : aes_ecb_decrypt(&k, in, out, 2);
}

static int run(char **argv) {
  return strcmp(argv[1], "gcm") == 0 ? gcm(argv[2]) : blocks(argv[1], argv[2]);
}

// ---- wrong answers ------------------------------------------------------------------------------

static struct operation right_operations[MOST];
static uint32_t right[12];
static unsigned right_count;

// In a child: run with one answer inverted, and exit with the kind.
static void judge(char **argv) {
  alarm(SECONDS);
  const int status = run(argv);
  if (status != AES_OK) _exit(ALERT);
  if (memcmp(result, right, result_bytes) != 0) _exit(WRONG);
  const int again = count != right_count;
  _exit(again ? ALERT : NOTHING);
}

static int kind_of(unsigned at, char **argv) {
  const pid_t child = fork();
  if (child < 0) exit(2);
  if (child == 0) {
    count = 0;
    inverted = at;
    judge(argv);
  }
  int ended = 0;
  if (waitpid(child, &ended, 0) != child) exit(2);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : WAITS;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: trace MODE DIRECTION KEY IV TEXT AAD\n");
    return 2;
  }
  parse(argv[3], key, sizeof key);
  parse(argv[4], iv, sizeof iv);
  parse(argv[5], text, sizeof text);
  parse(argv[6], aad, sizeof aad);
  key_bits = 4u * (unsigned)strlen(argv[3]);
  // The unit's emulation is as after reset in each process.
  int ended[2];
  if (pipe(ended) != 0) return 2;
  const pid_t child = fork();
  if (child == 0) {
    const int status = run(argv);
    const size_t size = count * sizeof *operations;
    if (status != AES_OK) _exit(1);
    FILE *to = fdopen(ended[1], "w");
    fwrite(&count, sizeof count, 1, to);
    fwrite(&result_bytes, sizeof result_bytes, 1, to);
    fwrite(result, sizeof result, 1, to);
    fwrite(operations, 1, size, to);
    fclose(to);
    _exit(0);
  }
  close(ended[1]);
  FILE *from = fdopen(ended[0], "r");
  int exit_status = 0;
  if (fread(&right_count, sizeof right_count, 1, from) != 1 || right_count > MOST
      || fread(&result_bytes, sizeof result_bytes, 1, from) != 1
      || fread(right, sizeof right, 1, from) != 1
      || fread(right_operations, sizeof *operations, right_count, from) != right_count
      || waitpid(child, &exit_status, 0) != child || exit_status != 0) {
    fprintf(stderr, "the kernel does not do this on the unit's emulation\n");
    return 2;
  }
  printf("result ");
  for (size_t i = 0; i < result_bytes; i++) printf("%02x", ((const uint8_t *)right)[i]);
  printf("\n");
  for (unsigned i = 0; i < right_count; i++) {
    const struct operation *o = &right_operations[i];
    printf("%x %x %x %x %x %x\n", (unsigned)kind_of(i, argv), o->op, o->rs1, o->rs2, o->rs3,
           o->answer);
  }
  return 0;
}
