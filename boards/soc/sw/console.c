// SPDX-License-Identifier: Apache-2.0
// Console on the serial line: type a key and a text, get the ciphertext and its cycles.
// It uses the accelerator only through the kernel contract (sw/include/aes_kernel.h).
#include <stdint.h>

#include "aes_kernel.h"
#include "aes_modes.h"

enum { DATA, STATUS, BIT_CLOCKS, CLOCK_KHZ };  // words of boards/soc/soc_uart.sv
enum { SENDING = 1, RECEIVED = 2, LOST = 4 };
extern volatile uint32_t uart[4];

enum { LINE = 192, MOST = 4 * AES_BLOCK_BYTES, BULK = 120 };

static aes_key_t encryption, decryption;
static int can_encrypt, can_decrypt;
static uint8_t block[BULK * AES_BLOCK_BYTES] __attribute__((aligned(4)));

static uint32_t cycles(void) {
  uint32_t now;
  __asm__ volatile("rdcycle %0" : "=r"(now));
  return now;
}

// The serial line -------------------------------------------------------------------------------

static int lost;  // bytes arrived faster than software read them

static uint32_t status(void) {
  const uint32_t found = uart[STATUS];
  if (found & LOST) lost = 1;
  return found;
}

static void put(char c) {
  while (status() & SENDING) continue;
  uart[DATA] = (uint8_t)c;
}

static void say(const char *text) {
  for (; *text; ++text) {
    if (*text == '\n') put('\r');
    put(*text);
  }
}

static void say_number(uint32_t value) {
  char digits[11];
  unsigned at = sizeof digits - 1;
  digits[at] = 0;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  say(digits + at);
}

// value / 1000 with three decimals.
static void say_thousandths(uint32_t value) {
  say_number(value / 1000);
  put('.');
  for (uint32_t part = value % 1000, unit = 100; unit; unit /= 10) {
    put((char)('0' + part / unit % 10));
  }
}

static void say_hex(const uint8_t *bytes, unsigned count) {
  static const char digit[] = "0123456789abcdef";
  for (unsigned i = 0; i < count; ++i) {
    put(digit[bytes[i] >> 4]);
    put(digit[bytes[i] & 15]);
  }
}

static char get(void) {
  while (!(status() & RECEIVED)) continue;
  return (char)uart[DATA];
}

// Read a line with echo and backspace. Excess characters are dropped and mark it as too long.
static int read_line(char *line) {
  unsigned length = 0;
  int fits = 1;
  for (;;) {
    const char c = get();
    if (c == '\r' || c == '\n') break;
    if (c == '\b' || c == 0x7f) {
      if (length) {
        --length;
        say("\b \b");
      }
    } else if (c >= ' ' && length < LINE - 1) {
      line[length++] = c;
      put(c);
    } else if (c >= ' ') {
      fits = 0;
    }
  }
  line[length] = 0;
  say("\n");
  return fits;
}

// Commands --------------------------------------------------------------------------------------

static int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Read hexadecimal digits, spaces allowed; return the number of bytes, or -1.
static int read_hex(const char *text, uint8_t *bytes, int most) {
  int digits = 0;
  for (; *text; ++text) {
    if (*text == ' ') continue;
    const int value = nibble(*text);
    if (value < 0 || digits == 2 * most) return -1;
    uint8_t *byte = bytes + digits / 2;
    *byte = (uint8_t)(digits & 1 ? *byte << 4 | value : value);
    ++digits;
  }
  return digits & 1 ? -1 : digits / 2;
}

static void set_key(const char *text) {
  static uint8_t key[32] __attribute__((aligned(4)));
  const int bytes = read_hex(text, key, sizeof key);
  if (bytes != 16 && bytes != 24 && bytes != 32) {
    say("a key has 32, 48 or 64 hexadecimal digits\n");
    return;
  }
  aes_clear_key(&encryption);
  aes_clear_key(&decryption);
  const unsigned bits = 8u * (unsigned)bytes;
  const uint32_t start = cycles();
  can_encrypt = aes_set_encrypt_key(&encryption, key, bits) == AES_OK;
  const uint32_t middle = cycles();
  can_decrypt = aes_set_decrypt_key(&decryption, key, bits) == AES_OK;
  const uint32_t end = cycles();
  aes_wipe(key, sizeof key);
  say("key of ");
  say_number(bits);
  say(" bits:");
  if (can_encrypt) {
    say(" ");
    say_number(middle - start);
    say(" cycles to set up for encryption");
  }
  if (can_decrypt) {
    say(can_encrypt ? ", " : " ");
    say_number(end - middle);
    say(" for decryption");
  }
  say("\n");
}

static void crypt(const char *text, int decrypt) {
  if (!(decrypt ? can_decrypt : can_encrypt)) {
    if (can_encrypt || can_decrypt) say("this variant of the accelerator cannot do that\n");
    else say("first a key: k HEX\n");
    return;
  }
  const int bytes = read_hex(text, block, MOST);
  if (bytes <= 0 || bytes % (int)AES_BLOCK_BYTES) {
    say("a text has 32, 64, 96 or 128 hexadecimal digits\n");
    return;
  }
  const size_t blocks = (size_t)bytes / AES_BLOCK_BYTES;
  const uint32_t start = cycles();
  const int status = decrypt ? aes_decrypt_blocks(&decryption, block, block, blocks)
                             : aes_encrypt_blocks(&encryption, block, block, blocks);
  const uint32_t took = cycles() - start;
  if (status != AES_OK) {
    say("the accelerator failed\n");
    return;
  }
  say_hex(block, (unsigned)bytes);
  say(" (");
  say_number(took);
  say(" cycles)\n");
}

static void measure(void) {
  if (!can_encrypt) {
    say("first a key: k HEX\n");
    return;
  }
  const uint32_t start = cycles();
  const int status = aes_encrypt_blocks(&encryption, block, block, BULK);
  const uint32_t took = cycles() - start;
  if (status != AES_OK) {
    say("the accelerator failed\n");
    return;
  }
  say_number(BULK);
  say(" blocks in ");
  say_number(took);
  say(" cycles, ");
  say_thousandths(took / BULK * 1000 + took % BULK * 1000 / BULK);
  say(" a block: ");
  say_thousandths(BULK * 128 * uart[CLOCK_KHZ] / took);
  say(" Mbit/s at ");
  say_thousandths(uart[CLOCK_KHZ]);
  say(" MHz\n");
}

// FIPS 197, appendix C: one key and text, three lengths.
static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const uint8_t cipher[3][16] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0,
     0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf,
     0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}};

// Report one direction of one example; return true if it is correct or not offered.
static int example(unsigned length, int decrypt) {
  static aes_key_t key;
  static uint8_t bytes[32] __attribute__((aligned(4)));
  const uint8_t *from = decrypt ? cipher[length] : plain, *to = decrypt ? plain : cipher[length];
  const unsigned bits = 128 + 64 * length;
  for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = (uint8_t)i;
  const int state = decrypt ? aes_set_decrypt_key(&key, bytes, bits)
                            : aes_set_encrypt_key(&key, bytes, bits);
  say("AES-");
  say_number(bits);
  say(decrypt ? " decryption: " : " encryption: ");
  if (state == AES_ERR_UNSUPPORTED) {
    say("not in this variant\n");
    return 1;
  }
  for (unsigned i = 0; i < AES_BLOCK_BYTES; ++i) bytes[i] = from[i];
  const int status = decrypt ? aes_decrypt_blocks(&key, bytes, bytes, 1)
                             : aes_encrypt_blocks(&key, bytes, bytes, 1);
  int right = state == AES_OK && status == AES_OK;
  for (unsigned i = 0; i < AES_BLOCK_BYTES; ++i) right &= bytes[i] == to[i];
  say(right ? "right\n" : "WRONG\n");
  aes_clear_key(&key);
  return right;
}

static void self_test(void) {
  int right = 1;
  for (unsigned length = 0; length < 3; ++length) {
    for (int decrypt = 0; decrypt < 2; ++decrypt) right &= example(length, decrypt);
  }
  say(right ? "FIPS 197: right\n" : "FIPS 197: WRONG\n");
  // A unit may have held the console's own keys.
  can_encrypt = can_decrypt = 0;
}

static void help(void) {
  say("k HEX   key: 32, 48 or 64 digits\n"
      "e HEX   encrypt one to four blocks (ECB), with the cycles of the call\n"
      "d HEX   decrypt\n"
      "b       encrypt 120 blocks in one call: cycles a block, Mbit/s\n"
      "t       the examples of FIPS 197; forgets the key\n"
      "?       this list\n");
}

int main(void) {
  static char line[LINE];
  say("\n" CONSOLE_NAME ": AES on the serial line; ? lists the commands\n");
  for (;;) {
    say("> ");
    const int fits = read_line(line);
    const char *rest = line[0] ? line + 1 : line;
    if (!fits || lost) say("characters were lost: wait for the prompt, send at most 190\n");
    else if (line[0] == 'k') set_key(rest);
    else if (line[0] == 'e') crypt(rest, 0);
    else if (line[0] == 'd') crypt(rest, 1);
    else if (line[0] == 'b') measure();
    else if (line[0] == 't') self_test();
    else if (line[0] == '?') help();
    else if (line[0]) say("? lists the commands\n");
    lost = 0;
    aes_wipe(line, sizeof line);
  }
}
