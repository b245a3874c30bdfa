# SPDX-License-Identifier: Apache-2.0
"""AES-GCM and GHASH on the host: whole vector files, OpenSSL, misuse, planted faults.

Programs are sw/harness/gcm.c with the modes and a kernel, a unit's operations being its emulation;
undefined behaviour and accesses outside an object end them.
"""

import ctypes
import random
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base.errors import SimulationError
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference import gcm, gcm_vectors
from aesforge.reference.gcm import Check, Verdict
from aesforge.reference.gcm_vectors import GcmCase
from aesforge.reference.vectors import VectorError
from harness_support import (
    BASELINE,
    HASHING,
    MODES,
    OURS,
    build,
    compile_c,
    name_of,
    own_ghash,
)

WHOLE = [(BASELINE, BASELINE.variant("")), *HASHING]
OTHERS = [(found, found.variant("")) for found in OURS if not own_ghash(found)]

Build = Callable[[Accelerator, Variant], Path]


def run(program: Path, checks: Sequence[Check]) -> Verdict:
    """Send checks through a program."""
    done = subprocess.run(
        [program], input=gcm.stream(checks), capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[:2000]
    return gcm.judge(checks, done.stdout)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The program of an accelerator's variant, compiled once."""

    @cache
    def made(accelerator: str, variant: str) -> Path:
        found = manifest.find(accelerator)
        folder = tmp_path_factory.mktemp(f"{accelerator}-{variant}")
        return build(folder / "gcm", found, found.variant(variant))

    return lambda accelerator, variant: made(accelerator.name, variant.name)


# --- what is right --------------------------------------------------------------------------------


@pytest.mark.parametrize(("accelerator", "variant"), WHOLE, ids=name_of)
def test_whole_files(program: Build, accelerator: Accelerator, variant: Variant) -> None:
    """Every CAVP and Wycheproof case, for the portable GHASH and for each that replaces it."""
    cases = (*gcm_vectors.cavp(), *gcm_vectors.wycheproof())
    checks = [check for case in cases for check in gcm.case_checks(case)]
    verdict = run(program(accelerator, variant), checks)
    assert verdict.reason == ""
    assert verdict.counts["CAVP"] == gcm_vectors.CAVP_COUNT
    assert verdict.counts["Wycheproof"] > len(gcm_vectors.wycheproof())


@pytest.mark.parametrize(("accelerator", "variant"), OTHERS, ids=name_of)
def test_every_kernel(program: Build, accelerator: Accelerator, variant: Variant) -> None:
    """What the question asks on a core, for kernels that leave GHASH to the portable code."""
    assert run(program(accelerator, variant), gcm.checks("instruction")).reason == ""


@pytest.mark.parametrize(("accelerator", "variant"), WHOLE, ids=name_of)
def test_equals_openssl(program: Build, accelerator: Accelerator, variant: Variant) -> None:
    """Random lengths of everything, at random places, whole and in pieces; forgeries of some."""
    rng = random.Random("gcm against OpenSSL")
    checks: list[Check] = []
    for number in range(250):
        size = rng.choice([rng.randrange(80), rng.randrange(1200)])
        iv = rng.choice([12, rng.randrange(8, 129)])
        case = gcm.random_case(rng, size, rng.choice([16, 24, 32]), rng.randrange(70), iv)
        tag = rng.choice([4, 8, 12, 13, 14, 15, 16])
        case = replace(case, tag=case.tag[:tag], name=f"random {number}")
        piece = rng.choice([0, 0, rng.randrange(1, 40), rng.randrange(16, 700)])
        place = rng.randrange(4) + gcm.SAME_PLACE * rng.randrange(2)
        checks += gcm.case_checks(case, piece, place)
        if size and number % 10 == 0 and case.aad:
            checks += gcm.forgery_checks(case, place)
    assert run(program(accelerator, variant), checks).reason == ""


@pytest.mark.parametrize(("accelerator", "variant"), WHOLE, ids=name_of)
def test_long_messages(program: Build, accelerator: Accelerator, variant: Variant) -> None:
    """The first lengths that are not short; then on either side of 2^16 bits."""
    rng = random.Random("lengths of gcm")
    sizes = (*range(255, 290), 8191, 8192)
    cases = [gcm.random_case(rng, size, 16, rng.randrange(34)) for size in sizes]
    checks = [check for case in cases for check in gcm.case_checks(case)]
    checks += [check for case in cases[:35:5] for check in gcm.forgery_checks(case)]
    assert run(program(accelerator, variant), checks).reason == ""


def test_the_yardstick_is_aesgcm() -> None:
    """`seal` is what another interface of the library says, and our GHASH what a tag needs."""
    rng = random.Random("yardstick")
    for _ in range(20):
        case = gcm.random_case(rng, rng.randrange(100), 32, rng.randrange(50))
        cipher = AESGCM(case.key)
        sealed = cipher.encrypt(case.iv, case.plaintext, case.aad)
        assert sealed == case.ciphertext + case.tag
        with pytest.raises(InvalidTag):
            cipher.decrypt(case.iv, sealed[:-1] + bytes([sealed[-1] ^ 1]), case.aad)
    # SP 800-38D's test case 2 (McGrew, Viega): H, one block of ciphertext, the lengths.
    subkey = bytes.fromhex("66e94bd4ef8a2c3b884cfa59ca342b2e")
    blocks = bytes.fromhex("0388dace60b6a392f328c2b971b2fe78" + "00" * 15 + "80")
    assert gcm.ghash(subkey, blocks).hex() == "f38cbb1ad69223dcc3457ae5b6b0f885"


def test_samples_cover_what_there_is() -> None:
    """On the cores: every length of key, IV, text, AAD and tag, good and bad tags both."""
    for every in (gcm.SAMPLES, gcm.SAMPLES_SOFTWARE):
        chosen = gcm_vectors.samples(every)
        cavp = [case for case in chosen if case.suite == "CAVP"]
        for direction, bits in product(("encrypt", "decrypt"), (16, 24, 32)):
            some = [c for c in cavp if c.direction == direction and len(c.key) == bits]
            assert {len(c.iv) for c in some} == {1, 12, 128}
            assert len({len(c.aad) for c in some}) >= 4
            assert len({len(c.tag) for c in some}) >= (7 if every == gcm.SAMPLES else 5)
        assert {c.valid for c in cavp if c.direction == "decrypt"} == {True, False}
        assert {c.valid for c in chosen if c.suite == "Wycheproof"} == {True, False}


# --- the interface, used wrongly ------------------------------------------------------------------

LENGTH, TAG, ORDER = -3, -4, -5
ROOM = 8192  # more than any key or context


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The modes over the first software baseline, as a shared library."""
    folder = tmp_path_factory.mktemp("library")
    flags = ["-shared", "-fPIC", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    return ctypes.CDLL(str(compile_c(folder / "gcm", BASELINE, BASELINE.variant(""), flags)))


class Context:
    """A key and a context of aes_gcm_t; call functions by the rest of their names."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        self.key = ctypes.create_string_buffer(ROOM)
        self.room = ctypes.create_string_buffer(ROOM)
        self.material = random.Random("misuse").randbytes(16)
        assert library.aes_gcm_set_key(self.key, self.material, 128) == 0

    def start(self, iv: bytes) -> int:
        """Start a message."""
        done = self.library.aes_gcm_start(self.room, self.key, iv, ctypes.c_size_t(len(iv)))
        return int(done)

    def call(self, name: str, *arguments: object) -> int:
        """Call aes_gcm_<name>; lengths are Python integers."""
        words = [ctypes.c_size_t(a) if isinstance(a, int) else a for a in arguments]
        return int(getattr(self.library, f"aes_gcm_{name}")(self.room, *words))


@pytest.fixture
def context(library: ctypes.CDLL) -> Context:
    """A context with a key, not started."""
    return Context(library)


IV, AAD, TEXT = b"twelve bytes", b"header", b"a text of more than one block."


def test_calls_out_of_order(context: Context) -> None:
    """Each is refused in every phase but its own, and changes nothing."""
    out = ctypes.create_string_buffer(b"?" * len(TEXT), len(TEXT))
    tag = ctypes.create_string_buffer(b"?" * 16, 16)
    calls: dict[str, tuple[object, ...]] = {
        "aad": (AAD, len(AAD)),
        "encrypt_update": (TEXT, out, len(TEXT)),
        "encrypt_finish": (tag, 16),
        "verify_update": (TEXT, len(TEXT)),
        "verify_finish": (tag, 16),
        "decrypt_update": (TEXT, out, len(TEXT)),
        "decrypt_finish": (),
    }

    def refused(*names: str) -> None:
        for name in names:
            before = bytes(context.room.raw)
            assert context.call(name, *calls[name]) == ORDER, name
            assert bytes(context.room.raw) == before
        assert (out.raw, tag.raw) == (b"?" * len(TEXT), b"?" * 16)

    ciphertext, right = gcm.seal(context.material, IV, AAD, TEXT)
    decryption = ("verify_update", "verify_finish", "decrypt_update", "decrypt_finish")
    refused(*calls)
    assert context.start(IV) == 0
    refused("decrypt_update", "decrypt_finish")
    assert context.call("encrypt_update", TEXT, None, 0) == 0
    refused("aad", *decryption)
    assert context.start(IV) == 0
    assert context.call("aad", AAD, len(AAD)) == 0
    assert context.call("verify_update", ciphertext, len(ciphertext)) == 0
    refused("aad", "encrypt_update", "encrypt_finish", "decrypt_update", "decrypt_finish")
    assert context.call("verify_finish", right, 16) == 0
    refused("aad", "encrypt_update", "encrypt_finish", "verify_update", "verify_finish")
    assert context.call("decrypt_update", ciphertext, out, len(ciphertext)) == 0
    assert out.raw == TEXT
    assert context.call("decrypt_finish") == 0
    out.raw = b"?" * len(TEXT)
    refused(*calls)


def test_text_that_changes_between_the_two_times(context: Context) -> None:
    """More of it, less of it, or other bytes: an error, however late."""
    ciphertext, tag = gcm.seal(context.material, IV, AAD, TEXT)
    out = ctypes.create_string_buffer(len(TEXT) + 1)
    size = len(TEXT)
    for data, count in ((ciphertext, size - 1), (bytes(size), size), (ciphertext, size)):
        assert context.start(IV) == 0
        assert context.call("aad", AAD, len(AAD)) == 0
        assert context.call("verify_update", ciphertext, size) == 0
        assert context.call("verify_finish", tag, 16) == 0
        assert context.call("decrypt_update", data, out, size + 1) == LENGTH
        assert context.call("decrypt_update", data, out, count) == 0
        same = (data, count) == (ciphertext, size)
        assert context.call("decrypt_finish") == (0 if same else TAG)


def test_a_wrong_tag_leaves_nothing(context: Context) -> None:
    """Neither text nor a context that could decrypt."""
    ciphertext, tag = gcm.seal(context.material, IV, b"", TEXT)
    assert context.start(IV) == 0
    assert context.call("verify_update", ciphertext, len(ciphertext)) == 0
    assert context.call("verify_finish", tag[:15] + bytes([tag[15] ^ 1]), 16) == TAG
    assert not any(context.room.raw)
    assert context.call("encrypt_update", TEXT, None, 0) == ORDER


def test_finish_wipes(context: Context) -> None:
    """Nothing of a message stays in the context, nothing of a key after it is cleared."""
    ciphertext, tag = gcm.seal(context.material, IV, b"", TEXT)
    out, made = ctypes.create_string_buffer(len(TEXT)), ctypes.create_string_buffer(16)
    assert context.start(IV) == 0
    assert context.call("encrypt_update", TEXT, out, len(TEXT)) == 0
    assert context.call("encrypt_finish", made, 5) == LENGTH  # and may be asked again
    assert context.call("encrypt_finish", made, 16) == 0
    assert (out.raw, made.raw) == (ciphertext, tag)
    assert not any(context.room.raw)
    context.library.aes_gcm_clear_key(context.key)
    assert not any(context.key.raw)


def test_lengths_of_the_standard(context: Context) -> None:
    """2^36 - 32 bytes of text, 2^61 - 1 of AAD and IV: one more is refused before it is read.

    Nothing of the message stays then, nor of the one before a start that was refused.
    """
    most_text, most_other = 2**36 - 32, 2**61 - 1
    start, key = context.library.aes_gcm_start, context.key

    def over() -> None:
        assert not any(context.room.raw)
        assert context.call("encrypt_update", TEXT, out, 16) == ORDER
        assert context.start(IV) == 0
        assert context.call("aad", AAD, len(AAD)) == 0

    out = ctypes.create_string_buffer(16)
    assert context.start(IV) == 0
    assert context.start(b"") == LENGTH
    over()
    assert start(context.room, key, IV, ctypes.c_size_t(most_other + 1)) == LENGTH
    over()
    assert context.call("aad", None, most_other - len(AAD) + 1) == LENGTH
    over()
    assert context.call("encrypt_update", None, None, most_text + 1) == LENGTH
    over()
    assert context.call("encrypt_update", TEXT, out, 16) == 0
    assert context.call("encrypt_update", None, None, most_text - 15) == LENGTH
    over()
    assert context.call("verify_update", None, most_text + 1) == LENGTH
    over()
    none = ctypes.c_size_t(0)
    for name in ("encrypt", "decrypt"):
        call = getattr(context.library, f"aes_gcm_{name}")
        size = ctypes.c_size_t(most_text + 1)
        tag = ctypes.c_size_t(16)
        assert call(key, IV, ctypes.c_size_t(12), b"", none, None, None, size, out, tag) == LENGTH


# --- planted faults -------------------------------------------------------------------------------

SHORT = gcm.random_case(random.Random("faults"), 100, 16)  # one call of cipher and GHASH
LONG = gcm.random_case(random.Random("faults of long messages"), 300, 16)
OTHER = gcm.random_case(random.Random("faults of contexts"), 100, 16, 40)  # its AAD is too long
PIECES = [
    *gcm.case_checks(SHORT, piece=23),
    *(check for case in (SHORT, LONG, OTHER) for check in gcm.forgery_checks(case)),
]
FAULTS = {
    "reduction": ("aes_ghash.c", "v << 7", "v << 6"),
    "reduction of the overflow": ("aes_ghash.c", "v >> 25", "v >> 26"),
    "lengths exchanged": (
        "aes_gcm.c",
        "hash_lengths(g->key, g->state, g->aad_bytes, g->text_bytes);\n  copy_block(hash",
        "hash_lengths(g->key, g->state, g->text_bytes, g->aad_bytes);\n  copy_block(hash",
    ),
    "tag compared without its last byte": (
        "aes_gcm.c",
        "difference(g->state, tag, tag_bytes)",
        "difference(g->state, tag, tag_bytes - 1u)",
    ),
    "tag compared in its first word": (
        "aes_gcm.c",
        "difference(g->state, tag, tag_bytes)",
        "difference(g->state, tag, 4)",
    ),
    "plaintext before the tag is checked": (
        "aes_gcm_message.c",
        "    status = aes_gcm_verify_finish(&g, tag, tag_bytes);",
        "    aes_gcm_t h = g;\n    h.text_bytes = 0;\n"
        "    aes_gcm_release(&h, in, out, bytes);\n"
        "    status = aes_gcm_verify_finish(&g, tag, tag_bytes);",
    ),
    "plaintext in spite of the tag": (
        "aes_gcm.c",
        "(g->state, tag, tag_bytes) != 0u) {\n    status = AES_ERR_TAG;",
        "(g->state, tag, tag_bytes) != 0u) {\n    status = AES_OK;",
    ),
    "short: tag compared without its last byte": (
        "aes_gcm_message.c",
        "difference(m->state, tag, tag_bytes)",
        "difference(m->state, tag, tag_bytes - 1u)",
    ),
    "short: plaintext before the tag is checked": (
        "aes_gcm_message.c",
        "    put_padded(m.hashed + TEXT, in, bytes);",
        "    put_padded(m.hashed + TEXT, in, bytes);\n    combine(out, in, m.stream, bytes);",
    ),
    "short: plaintext in spite of the tag": (
        "aes_gcm_message.c",
        "== 0u ? AES_OK : AES_ERR_TAG;",
        "== 0u ? AES_OK : AES_OK;",
    ),
    "short: lengths exchanged": (
        "aes_gcm_message.c",
        "lengths[1] = short_length(aad_bytes);\n  lengths[2] = 0;\n"
        "  lengths[3] = short_length(bytes);",
        "lengths[1] = short_length(bytes);\n  lengths[2] = 0;\n"
        "  lengths[3] = short_length(aad_bytes);",
    ),
    "short: rest of a block not zero": ("padded.h", "to++ = 0;  //", "to++ = 1;  //"),
    "short: rest of the text not zero": (
        "aes_gcm_message.c",
        "zero(text + n / AES_BLOCK_BYTES * BLOCK_WORDS);",
        "copy_block(text + n / AES_BLOCK_BYTES * BLOCK_WORDS, stream);",
    ),
    "short: counter from zero": (
        "aes_gcm_message.c",
        "uint32_t counter = 0;",
        "uint32_t counter = swap(0xffu);",
    ),
    "rest of a block not zero": ("aes_gcm.c", "b[used] = 0;", "b[used] |= 1;"),
    "counter carries into the IV": (
        "aes_gcm.c",
        "block[2] = first[2];",
        "block[2] = first[2] ^ (g->counter + (uint32_t)i == 0u);",
    ),
}

# The same of long messages in one call, with a kernel that joins CTR with its cipher.
FAULTS_OF_LONG_MESSAGES = {
    "plaintext before the tag is checked": (
        "    aes_ghash_blocks(&k->hash, m.state, in, whole / AES_BLOCK_BYTES);",
        "    uint32_t first[4];\n    copy_block(first, counter);\n"
        "    aes_ghash_blocks(&k->hash, m.state, in, whole / AES_BLOCK_BYTES);\n"
        "    (void)aes_ctr_blocks(&k->cipher, first, in, out, whole / AES_BLOCK_BYTES);",
    ),
    "first counter of the text": ("counter[3] = swap(2u);", "counter[3] = swap(1u);"),
    "counter of the tag's mask": (
        "counter[3] = swap(1u);\n  copy_block(m->mask",
        "counter[3] = swap(2u);\n  copy_block(m->mask",
    ),
    "counter of the rest": ("/ AES_BLOCK_BYTES) + 2u);", "/ AES_BLOCK_BYTES) + 1u);"),
    "lengths exchanged": (
        "put_lengths(lengths, aad_bytes, bytes);",
        "put_lengths(lengths, bytes, aad_bytes);",
    ),
    "AAD without its last block": (
        "words_of_blocks(aad_bytes) / BLOCK_WORDS);",
        "words_of_blocks(aad_bytes) / BLOCK_WORDS / 2u);",
    ),
    "rest not encrypted": (
        "    put_sealed(&m, in + whole, out + whole, rest);",
        "    zero(m.stream);\n    put_sealed(&m, in + whole, out + whole, rest);",
    ),
    "rest not decrypted": (
        "      combine(out + whole, in + whole, m.stream, rest);",
        "      copy(out + whole, in + whole, rest);",
    ),
}


# A kernel that joins CTR with its cipher, block by block.
JOINED = """
#include "aes_kernel.h"
int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks);
int aes_ctr_blocks(const aes_key_t *k, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t nblocks) {
  int status = AES_OK;
  for (; nblocks != 0 && status == AES_OK; nblocks--, in += 16, out += 16) {
    uint32_t block[4] = {counter[0], counter[1], counter[2], counter[3]};
    status = aes_encrypt_blocks(k, (const uint8_t *)block, (uint8_t *)block, 1);
    for (int i = 0; i < 16; i++) out[i] = (uint8_t)(in[i] ^ ((uint8_t *)block)[i]);
    counter[3] = __builtin_bswap32(__builtin_bswap32(counter[3]) + STEP);
  }
  return status;
}
"""


def joined(folder: Path, step: int = 1, modes: Path = MODES) -> Path:
    """A program with such a kernel, whose counter grows by `step`."""
    added = folder / "joined.c"
    added.write_text(JOINED.replace("STEP", f"{step}u"), encoding="utf-8")
    kernel = [*BASELINE.kernel_files(), added]
    return build(folder / "gcm", BASELINE, BASELINE.variant(""), kernel=kernel, modes=modes)


@pytest.mark.parametrize("step", [1, 2])
def test_a_kernel_that_joins_ctr_with_its_cipher(tmp_path: Path, step: int) -> None:
    """AES-GCM runs on it, as a wrong count shows, and everything else is as without it."""
    found = wrong_answers(joined(tmp_path, step))
    assert found == "" if step == 1 else "answers wrong" in found


def wrong_answers(program: Path) -> str:
    """What the question, all vectors of Wycheproof and pieces find."""
    cases = gcm_vectors.wycheproof()
    checks = [*gcm.checks("instruction"), *PIECES]
    return run(program, [*checks, *(c for case in cases for c in gcm.case_checks(case))]).reason


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_of_the_modes(tmp_path: Path, fault: str) -> None:
    """Each of them gives wrong answers."""
    modes = changed_modes(tmp_path, *FAULTS[fault])
    program = build(tmp_path / "gcm", BASELINE, BASELINE.variant(""), modes=modes)
    assert "answers wrong" in wrong_answers(program)


@pytest.mark.parametrize("fault", FAULTS_OF_LONG_MESSAGES)
def test_planted_faults_of_long_messages(tmp_path: Path, fault: str) -> None:
    """Each of them gives wrong answers."""
    modes = changed_modes(tmp_path, "aes_gcm_message.c", *FAULTS_OF_LONG_MESSAGES[fault])
    assert "answers wrong" in wrong_answers(joined(tmp_path, modes=modes))


def changed_modes(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the modes where `old`, exactly once in a file, is replaced."""
    modes = folder / "modes"
    shutil.copytree(MODES, modes)
    text = (modes / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (modes / file).write_text(text.replace(old, new), encoding="utf-8")
    return modes


# Kernels that reduce in C: this constant is the polynomial.
REDUCING = [
    found
    for found in HASHING
    if any("0x87u" in path.read_text(encoding="utf-8") for path in found[0].kernel_files())
]


@pytest.mark.parametrize(("accelerator", "variant"), REDUCING[:1], ids=name_of)
def test_a_planted_fault_of_a_unit(
    tmp_path: Path, accelerator: Accelerator, variant: Variant
) -> None:
    """A kernel's own GHASH with another polynomial."""
    kernel: list[Path] = []
    for path in accelerator.kernel_files():
        text = path.read_text(encoding="utf-8")
        kernel.append(tmp_path / path.name)
        kernel[-1].write_text(text.replace("0x87u", "0x85u"), encoding="utf-8")
    program = build(tmp_path / "gcm", accelerator, variant, kernel=kernel)
    assert "answers wrong" in wrong_answers(program)


def answer(status: int, cycles: int, text: bytes = b"", tag: bytes = gcm.UNTOUCHED * 16) -> bytes:
    """One answer as the program sends it."""
    data = text + gcm.UNTOUCHED * gcm.GUARD
    return struct.pack("<3I", status, cycles, 1) + data + b"\0" * (-len(data) % 4) + tag


def test_times_that_differ_are_seen() -> None:
    """The verdict has the widest spread of calls that ought to take the same time."""
    request = gcm.GcmRequest(gcm.SET_KEY, bytes(16))
    checks = [Check("timed", f"call {n}", request, same_time="a" * n) for n in (1, 1, 2)]
    even = gcm.judge(checks, answer(0, 7) + answer(0, 7) + answer(0, 9))
    assert (even.reason, even.counts["spread_max"]) == ("", 0)
    odd = gcm.judge(checks, answer(0, 7) + answer(0, 10) + answer(0, 9))
    assert odd.counts["spread_max"] == 3


def test_answers_that_are_damaged() -> None:
    """Too short, too long, something written where nothing may be, a status that is none."""
    request = gcm.GcmRequest(gcm.DECRYPT, bytes(16), b"iv", b"", b"abc", bytes(16))
    refused = [Check("forged", "it", request, gcm.BAD_TAG)]
    nothing = gcm.UNTOUCHED * 3
    good = answer(gcm.BAD_TAG, 5, nothing, bytes(16))
    assert gcm.judge(refused, good).reason == ""
    for output in (good[:-1], good + b"\0"):
        with pytest.raises(SimulationError):
            gcm.judge(refused, output)
    for bad in (answer(gcm.BAD_TAG, 5, b"abc", bytes(16)), answer(gcm.OK, 5, nothing, bytes(16))):
        assert "1 of 1 answers wrong: it" in gcm.judge(refused, bad).reason


# --- vector files ---------------------------------------------------------------------------------

GOOD = """# CAVS
[Keylen = 128]
[IVlen = 8]
[PTlen = 0]
[AADlen = 0]
[Taglen = 32]

""" + "\n".join(
    f"Count = {n}\nKey = {'00' * 16}\nIV = 01\nCT = \nAAD = \nTag = 01020304\nPT = \n"
    for n in range(15)
)


def parsed(text: str) -> list[GcmCase]:
    """All cases of a text."""
    return list(gcm_vectors.parse_rsp(text, "file", "decrypt"))


def test_a_response_file() -> None:
    """Cases with and without FAIL."""
    assert [case.valid for case in parsed(GOOD)] == [True] * 15
    failed = parsed(GOOD.replace("PT = \n", "FAIL\n", 1))
    assert [case.valid for case in failed] == [False] + [True] * 14


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Tag = 01020304\n", "", "lacks Tag"),
        ("PT = \n", "", "lacks PT"),
        ("IV = 01", "IV = 0102", "IV has 16 bits, not 8"),
        ("IV = 01", "IV = 0x", "not hexadecimal"),
        ("IV = 01", "IV = 01\nIV = 01", "unexpected IV"),
        ("Count = 1\n", "Count = 2\n", "Count 2 where 1 was due"),
        ("IV = 01", "nonsense", "cannot be read"),
        ("Count = 7", "[Keylen = 128]\nCount = 0", "group before has 7 cases"),
    ],
)
def test_a_damaged_response_file(old: str, new: str, message: str) -> None:
    """The message says where and what."""
    assert old in GOOD
    with pytest.raises(VectorError, match=message):
        parsed(GOOD.replace(old, new, 1))
