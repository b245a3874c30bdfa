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
from aesforge.verify.operands import Spec

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
    job = {"library": str(library), "key_words": 60, "directions": ["decrypt"], "checks_key": True}
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
    made = ["gcc", "-O1", "-shared", "-fPIC", *macros, *folders]
    proc.run([*made, "-o", library, *files], timeout=60)
    words = PORTABLE.manifest.key_words(variant)
    job = {
        "library": str(library),
        "key_words": words,
        "directions": list(variant.directions),
        "checks_key": False,
    }
    if not old:
        assert host_bench.kernel(job, random.Random(1)).endswith(" messages")
        return
    with pytest.raises(host_bench.Difference, match=message):
        host_bench.kernel(job, random.Random(1))


# The portable kernel behind calls that look at the key first.
CHECKED = """
#include "aes_kernel.h"
int encrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int decrypt(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks);
int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  if (k->rounds == 0) return aes_no_blocks(out, nblocks, AES_ERR_KEY);
  return encrypt(k, in, out, nblocks);
}
int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t nblocks) {
  if (k->rounds == 0) return aes_no_blocks(out, nblocks, AES_ERR_KEY);
  return decrypt(k, in, out, nblocks);
}
void aes_clear_key(aes_key_t *k) { k->rounds = 0; }
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "", ""),
        ("aes_no_blocks(out, nblocks, AES_ERR_KEY)", "AES_ERR_KEY", "failed and left 1 blocks"),
        ("AES_ERR_KEY)", "AES_ERR_BUSY)", "aes_encrypt_blocks returned -7, not -6"),
    ],
    ids=["sound", "blocks", "code"],
)
def test_a_cleared_key_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    """A kernel that says it looks at the key is called with one that was cleared."""
    (tmp_path / "checked.c").write_text(CHECKED.replace(old, new), encoding="utf-8")
    variant = PORTABLE.manifest.variant[0]
    macros = [f"-D{word}" for word in PORTABLE.manifest.macros(variant)]
    made: list[str | Path] = ["gcc", "-O1", "-fPIC", *macros, f"-I{ROOT / 'sw' / 'include'}"]
    objects: list[Path] = []
    for path in PORTABLE.kernel_files():
        objects.append(tmp_path / f"{path.stem}.o")
        renamed = ["-Daes_encrypt_blocks=encrypt", "-Daes_decrypt_blocks=decrypt"]
        proc.run([*made, *renamed, *("-c", path), *("-o", objects[-1])], timeout=60)
    library = tmp_path / "kernel.so"
    proc.run([*made, "-shared", "-o", library, tmp_path / "checked.c", *objects], timeout=60)
    job = {
        "library": str(library),
        "key_words": PORTABLE.manifest.key_words(variant),
        "directions": list(variant.directions),
        "checks_key": True,
    }
    if not old:
        assert host_bench.kernel(job, random.Random(1)).endswith(" messages")
        return
    with pytest.raises(host_bench.Difference, match=message):
        host_bench.kernel(job, random.Random(1))


@pytest.mark.parametrize("wrong", ["0", "calls == 3"], ids=["sound", "third"])
def test_a_conversation_is_compared(wrong: str, tmp_path: Path) -> None:
    """Requests in the model's own order come first, when both are as after reset."""
    (tmp_path / "model.py").write_text(
        "def op(rs1):\n    return rs1\n\n\n"
        "def conversation(rng):\n    yield from (('op', (at,)) for at in range(4))\n",
        encoding="utf-8",
    )
    text = f"static int calls; unsigned op(unsigned a) {{ return calls++, a ^ ({wrong}); }}\n"
    (tmp_path / "emul.c").write_text(text, encoding="utf-8")
    library = tmp_path / "emul.so"
    proc.run(["gcc", "-shared", "-fPIC", "-o", library, tmp_path / "emul.c"], timeout=60)
    spec = Spec("op", 0, 0, 0, ("rs1",), (), (), 0)
    job = {
        "library": str(library),
        "models": [str(tmp_path / "model.py")],
        "operations": [spec.to_json()],
    }
    if wrong == "0":
        assert host_bench.emulation(job, random.Random(1)).endswith(" operations")
        return
    found = "request 3 of the conversation, op(2,): rd=0x00000003, the model says 0x00000002"
    with pytest.raises(host_bench.Difference, match=re.escape(found)):
        host_bench.emulation(job, random.Random(1))
