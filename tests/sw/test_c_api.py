# SPDX-License-Identifier: Apache-2.0
"""The C interface for software stacks: CTR in pieces, one-pass GCM, keys as bytes, curves, SHA-256.

tests/support/aesforge_calls.py compares it with OpenSSL in a process of its own, under the address
and the undefined-behaviour sanitizers. Each fault planted in the C must end that process.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.catalog.manifest import Accelerator, Variant
from harness_support import BASELINE, MODES, OURS, SANITIZERS, WARNINGS, compile_c

CALLS = ROOT / "tests" / "support" / "aesforge_calls.py"
LOCK = ROOT / "tests" / "sw" / "stacks" / "lock.c"
HASH = ROOT / "sw" / "hash"
ECC = ROOT / "sw" / "ecc"
UNIT_STATE = ROOT / "sw" / "hal" / "unit_state.c"
CIPHER_GROUPS = ("ctr", "unverified", "cache", "forget")
SHARED = ("-shared", "-fPIC", "-g", *SANITIZERS)
PLAIN = (BASELINE, BASELINE.variant(""))
EVERY = [
    pytest.param(
        (found, variant),
        id=f"{found.name}-{variant.name}",
        marks=() if variant is found.variant("") else pytest.mark.slow,
    )
    for found in OURS
    for variant in found.manifest.variant
    if not found.manifest.outside_core  # no device on the host
]


def compresses(accelerator: Accelerator, variant: Variant) -> bool:
    """Tell whether a kernel has a compression function of SHA-256 of its own."""
    return any("sha256_entry.h" in path.read_text() for path in accelerator.kernel_files(variant))


COMPRESSING = [each for each in EVERY if compresses(*each.values[0])]


def run(library: Path, *groups: str) -> "subprocess.CompletedProcess[str]":
    """Run groups of checks in one process."""
    asan = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    environment = {
        **os.environ,
        "LD_PRELOAD": asan.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(ROOT / "src"),
    }
    return subprocess.run(
        [sys.executable, CALLS, library, *groups],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def build(folder: Path, subject: tuple[Accelerator, Variant], modes: Path = MODES) -> Path:
    """The modes and a kernel as a shared library."""
    return compile_c(folder / "library.so", *subject, [*SHARED, LOCK, UNIT_STATE], modes)


def compiled(target: Path, sources: Sequence[Path], *flags: str) -> Path:
    """Other C as a shared library."""
    command = ["gcc", "-std=gnu99", "-O1", *WARNINGS, *SHARED, f"-I{ROOT / 'sw' / 'include'}"]
    subprocess.run([*command, *flags, *sources, "-o", target], check=True, timeout=300)
    return target


@pytest.mark.parametrize("subject", EVERY)
def test_every_kernel_equals_openssl(tmp_path: Path, subject: tuple[Accelerator, Variant]) -> None:
    """Keys that are nearly alike, interleaved; pieces of any length at any place; misuse."""
    library = build(tmp_path, subject)
    done = run(library, *CIPHER_GROUPS)
    assert done.returncode == 0, done.stderr[:3000]
    assert done.stdout == "".join(f"{group}: right\n" for group in CIPHER_GROUPS)


def test_keys_of_curves(tmp_path: Path) -> None:
    """Range, validation, generation, products."""
    done = run(compiled(tmp_path / "curves.so", sorted(ECC.glob("*.c"))), "curves")
    assert done.returncode == 0, done.stderr[:3000]


def test_sha256(tmp_path: Path) -> None:
    """Against hashlib; with the curves in the same program, whose HMAC it replaces."""
    sources = [*sorted(HASH.glob("*.c")), MODES / "aes_modes.c", *sorted(ECC.glob("*.c"))]
    portable = BASELINE.kernel_files(PLAIN[1])
    flags = [f"-I{MODES}", *(f"-D{macro}" for macro in BASELINE.manifest.macros(PLAIN[1]))]
    library = compiled(tmp_path / "hash.so", [*sources, *portable], *flags)
    done = run(library, "sha256")
    assert done.returncode == 0, done.stderr[:3000]
    listed = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    assert " T hmac_sha256\n" in listed  # not W: the one of sw/hash


@pytest.mark.parametrize("subject", COMPRESSING)
def test_every_kernel_that_compresses(tmp_path: Path, subject: tuple[Accelerator, Variant]) -> None:
    """SHA-256 on a unit, against hashlib."""
    sources = [LOCK, UNIT_STATE, *sorted(HASH.glob("*.c"))]
    library = compile_c(tmp_path / "library.so", *subject, [*SHARED, *sources])
    done = run(library, "sha256")
    assert done.returncode == 0, done.stderr[:3000]
    listed = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    assert " T sha256_blocks\n" in listed  # not W: the one of sw/hash


def test_contexts_have_one_size(tmp_path: Path) -> None:
    """Whatever a key's size is: on this machine, and by assertion on cores of 32 bits."""
    text = (
        '#include "aesforge.h"\n#include <stdio.h>\n'
        'int main(void) { printf("%zu %zu %zu %zu\\n", sizeof(aesforge_ctr_t),'
        " sizeof(aesforge_gcm_t), sizeof(aesforge_ccm_t), sizeof(aesforge_cmac_t)); return 0; }\n"
    )
    source = tmp_path / "sizes.c"
    source.write_text(text, encoding="utf-8")
    sizes = set()
    for words in (8, 61, 480):
        program = tmp_path / "sizes"
        includes = [f"-I{ROOT / 'sw' / 'include'}", f"-DAES_KEY_WORDS={words}"]
        subprocess.run(["gcc", *includes, source, "-o", program], check=True, timeout=60)
        sizes.add(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    assert len(sizes) == 1


# --- faults ---------------------------------------------------------------------------------------

# By name: a group of checks, a file of sw/modes, the present text, the new one.
FAULTS = {
    "half of a key compared": (
        "cache",
        "aesforge.c",
        "unequal(&p->key, key, sizeof *key) | (p->use ^ use)",
        "unequal(&p->key, key, 16) | (p->use ^ use)",
    ),
    "the length of a key not compared": (
        "cache",
        "aesforge.c",
        "unequal(&p->key, key, sizeof *key) | (p->use ^ use)",
        "unequal(&p->key, key, 32) | (p->use ^ use)",
    ),
    "the use of a key not compared": (
        "cache",
        "aesforge.c",
        "unequal(&p->key, key, sizeof *key) | (p->use ^ use)",
        "unequal(&p->key, key, sizeof *key)",
    ),
    "the key of the start kept": ("cache", "aesforge.c", "c->message.key = &p->made.member;", ""),
    "a lock that stays": (
        "cache",
        "aesforge.c",
        "int end(int status) {\n  aesforge_unlock();",
        "int end(int status) {",
    ),
    "calls without a lock": (
        "cache",
        "aesforge.c",
        "  aesforge_lock();\n  const place_t",
        "  const place_t",
    ),
    "a context that is not wiped": (
        "cache",
        "aesforge.c",
        "  if (c->message.phase == 0u) {                        \\\n"
        "    aes_wipe(c, sizeof *c);                            \\\n"
        "  }                                                    \\\n",
        "",
    ),
    "a key that stays in the cache": (
        "forget",
        "aesforge.c",
        "    clear(&places[i]);",
        "    places[i].use = FOR_NOTHING;",
    ),
    "one place": ("forget", "aesforge.c", "#define AESFORGE_KEYS 4", "#define AESFORGE_KEYS 1"),
    "no rest of a block": ("ctr", "aes_ctr.c", "      c->used = 0;\n", "      c->used = 1;\n"),
    "a rest that is used twice": ("ctr", "aes_ctr.c", "  c->used += (uint32_t)now;\n", ""),
    "a finish that leaves key stream": (
        "ctr",
        "aes_ctr.c",
        "    return AES_ERR_ORDER;\n  }\n  aes_wipe(c, sizeof *c);",
        "    return AES_ERR_ORDER;\n  }\n  c->phase = PHASE_NONE;",
    ),
    "a tag that is not compared": (
        "unverified",
        "aes_gcm_unverified.c",
        "  aes_wipe(g, sizeof *g);\n  return status;",
        "  aes_wipe(g, sizeof *g);\n  return AES_OK;",
    ),
    "the other calls accept the context": (
        "unverified",
        "aes_gcm_unverified.c",
        "    g->phase = PHASE_UNVERIFIED;\n  }\n  return status;",
        "    g->phase = PHASE_DECRYPT;\n  }\n  return status;",
    ),
    "text that is not hashed": (
        "unverified",
        "aes_gcm.c",
        "int status = crypt_piece(g, HASH_INPUT, in, out, n);",
        "int status = crypt_piece(g, HASH_OUTPUT, in, out, n);",
    ),
}

# The same of sw/ecc.
CURVE_FAULTS = {
    "no range of private keys": (
        "p256_keys.c",
        "p256_read_scalar(k, d) == 0u ? ECC_OK : ECC_ERR_SCALAR",
        "p256_read_scalar(k, d) == 1u ? ECC_ERR_SCALAR : ECC_OK",
    ),
    "no validation": (
        "p256_keys.c",
        "return p256_read_point(&w, pub) == 0u ?",
        "(void)p256_read_point(&w, pub);\n  return 1 ?",
    ),
    "y in Montgomery form": ("p256_keys.c", "    p256_plain(w.y, w.y);\n", ""),
    "a failing source ignored": (
        "p256_keys.c",
        "    if (random(context, candidate, BYTES) != 0) {\n      break;\n    }",
        "    (void)random(context, candidate, BYTES);",
    ),
    "no clamping": ("x25519_keys.c", "    fresh[0] &= 248u;  // RFC 7748, section 5\n", ""),
    "bits above the order": ("binary_keys.c", "bit < over", "bit + 1u < over"),
    "no validation of a binary point": (
        "binary_keys.c",
        "return is_valid(c, x, y) ? ECC_OK",
        "return (is_valid(c, x, y) | 1u) ? ECC_OK",
    ),
}


@cache
def _copy(folder: Path, source: Path) -> Path:
    return Path(shutil.copytree(source, folder))


def faulty(folder: Path, source: Path, file: str, old: str, new: str) -> Path:
    """A copy of sources with one text replaced."""
    made = _copy(folder / source.name, source)
    text = (made / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    (made / file).write_text(text.replace(old, new), encoding="utf-8")
    return made


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_modes_is_seen(tmp_path: Path, name: str) -> None:
    """Its group of checks fails."""
    group, *change = FAULTS[name]
    modes = faulty(tmp_path, MODES, *change)
    done = run(build(tmp_path, PLAIN, modes), group)
    assert done.returncode != 0
    assert "Wrong: " in done.stderr or "Sanitizer" in done.stderr


@pytest.mark.parametrize("name", CURVE_FAULTS)
def test_a_fault_of_the_curves_is_seen(tmp_path: Path, name: str) -> None:
    """The checks of keys fail."""
    sources = faulty(tmp_path, ECC, *CURVE_FAULTS[name])
    done = run(compiled(tmp_path / "curves.so", sorted(sources.glob("*.c"))), "curves")
    assert done.returncode != 0
    assert "Wrong: " in done.stderr
