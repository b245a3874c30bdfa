# SPDX-License-Identifier: Apache-2.0
"""What the host bench says of a kernel that fails: no key and no output may remain."""

import random
import re
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest
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


PORTABLE = next(found for found in manifest.discover() if found.name == "portable")
MODES = ROOT / "sw" / "modes"


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ("", ""),
        ("  move_block(chain, last);\n", "aes_cbc_encrypt_blocks, 3 blocks: wrong block after it"),
        (
            "    move_block(chain, next);\n",
            "aes_cbc_decrypt_blocks, 3 blocks: wrong block after it",
        ),
        ("  block_0[3] = swap(low);\n", "aes_ctr_blocks, 3 blocks: wrong block after it"),
        ("    low += (uint32_t)n;\n", "aes_ctr_blocks, 3 blocks: wrong block after it"),
        (
            "    combine_block(to, batch.word, chain);\n",
            "aes_cbc_decrypt_blocks, 3 blocks: wrong out",
        ),
    ],
    ids=["sound", "cbc_encrypt", "cbc_decrypt", "ctr", "ctr_low", "cbc_first"],
)
def test_how_a_message_continues_is_seen(old: str, message: str, tmp_path: Path) -> None:
    """A line of a bulk entry is lost."""
    text = (MODES / "aes_modes.c").read_text(encoding="utf-8")
    assert not old or text.count(old) == 1
    (tmp_path / "modes.c").write_text(text.replace(old, "") if old else text, encoding="utf-8")
    library = tmp_path / "kernel.so"
    files = [*PORTABLE.kernel_files(), tmp_path / "modes.c"]
    folders = [f"-I{path}" for path in (ROOT / "sw" / "include", MODES)]
    variant = PORTABLE.manifest.variant[0]
    macros = [f"-D{word}" for word in PORTABLE.manifest.macros(variant)]
    made = ["gcc", "-O1", "-shared", "-fPIC", *macros, *folders, "-o", library, *files]
    proc.run(made, timeout=60)
    words = PORTABLE.manifest.key_words(variant)
    job = {"library": str(library), "key_words": words, "directions": list(variant.directions)}
    if not old:
        assert host_bench.kernel(job, random.Random(1)).endswith(" messages")
        return
    with pytest.raises(host_bench.Difference, match=message):
        host_bench.kernel(job, random.Random(1))
