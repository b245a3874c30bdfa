# SPDX-License-Identifier: Apache-2.0
"""What the host bench says of a kernel that fails: no key and no output may remain."""

import random
import re
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.verify import host_bench

pytestmark = pytest.mark.quick

# A kernel without encryption. The bench asks for that first.
KERNEL = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef struct { uint32_t rk[60], rounds; } aes_key_t;
int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned bits) {
  (void)key, (void)bits;
  k->rounds = 0;
  return -2;
}
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  (void)k, (void)in;
  memset(out, 0, 16 * nblocks);
  return -2;
}
int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned bits) {
  (void)key;
  k->rounds = KEPT;
  return bits == 128 ? 0 : -1;
}
"""


def outcome(text: str, folder: Path) -> str:
    """What the bench finds wrong."""
    (folder / "kernel.c").write_text(text, encoding="utf-8")
    library = folder / "kernel.so"
    proc.run(["gcc", "-shared", "-fPIC", "-o", library, folder / "kernel.c"], timeout=60)
    job = {"library": str(library), "key_words": 60, "directions": ["decrypt"]}
    with pytest.raises(host_bench.Difference) as found:
        host_bench.kernel(job, random.Random(1))
    return str(found.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("KEPT", "10", r"aes_set_decrypt_key\(0 bits\) failed and left a key"),
        ("k->rounds = 0;", "", r"aes_set_encrypt_key\(128 bits\) failed and left a key"),
        ("return -2;\n}\nint aes_encrypt", "return -1;\n}\nint aes_encrypt", "returned -1, not -2"),
        ("16 * nblocks", "16 * nblocks / 2", "aes_encrypt_blocks failed and left 1 blocks"),
        ("16 * nblocks", "16 * nblocks + 1", "wrote beyond its output"),
    ],
)
def test_what_a_failed_call_leaves_is_seen(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    """Each call that fails is looked at."""
    assert old in KERNEL
    text = KERNEL.replace(old, new).replace("KEPT", "bits == 128 ? 10 : 0")
    found = outcome(text, tmp_path)
    assert re.search(message, found), found
