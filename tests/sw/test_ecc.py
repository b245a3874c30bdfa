# SPDX-License-Identifier: Apache-2.0
"""X25519 and P-256: whole vector files on the host, faults that must be seen, samples on cores."""

import hashlib
import hmac
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from aesforge.base.errors import SimulationError
from aesforge.bench.job import Job, Settings
from aesforge.bench.measure import measure
from aesforge.build.simulate import CROSS
from aesforge.build.system import ECC, build_ecc_firmware, reason_to_skip
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference import ecc_vectors
from aesforge.reference.ecc import SCALAR, UNTOUCHED, CurveAnswer, CurveCase, compare, unpack
from aesforge.verify import ecc_host

KNOWN = [
    (accelerator, variant)
    for accelerator in manifest.discover()
    for variant in accelerator.manifest.variant
    if accelerator.manifest.has_ecc(variant)
]
SOFTWARE = [(a, v) for a, v in KNOWN if a.manifest.rtl is None]
UNITS = [(a, v) for a, v in KNOWN if a.manifest.rtl is not None and v.by_default]
# One variant of each set of operations: here it does not matter which AES kernel one has.
DISTINCT = list(
    {
        (a.name, tuple(op.mnemonic for op in a.manifest.operations(v))): (a, v)
        for a, v in reversed(KNOWN)
    }.values()
)


def _name(pair: tuple[Accelerator, Variant]) -> str:
    return f"{pair[0].name}-{pair[1].name}"


@pytest.mark.parametrize("pair", DISTINCT, ids=_name)
def test_whole_files_on_the_host(pair: tuple[Accelerator, Variant]) -> None:
    """All vectors and the iterated test, with every sanitizer."""
    checks = [*ecc_vectors.cases(), *_iterated(1000)]
    right, wrong = compare(checks, ecc_host.run(ecc_host.build(*pair), checks))
    assert wrong == []
    assert right.total() == len(checks)


def _iterated(count: int) -> list[CurveCase]:
    """RFC 7748, section 5.2: the steps by OpenSSL, the ends as printed."""
    scalar = point = (9).to_bytes(32, "little")
    steps: list[CurveCase] = []
    for number in range(1, count + 1):
        key = X25519PrivateKey.from_private_bytes(scalar)
        result = key.exchange(X25519PublicKey.from_public_bytes(point))
        steps.append(CurveCase("iterated", str(number), "x25519", scalar + point, output=result))
        if printed := ecc_vectors.RFC7748_ITERATED.get(number):
            assert result.hex() == printed
        scalar, point = result, scalar
    return steps


# A direct-mapped cache of instructions, the smallest of the cores here.
LINE_BYTES, CACHE_LINES = 32, 128


def _lines(elf: Path, root: str) -> set[int]:
    """Lines of memory with the code of a function and of all that it calls."""
    command = [f"{CROSS}objdump", "-d", "--no-show-raw-insn", str(elf)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    heads = re.findall(r"^([0-9a-f]+) <(\w+)>:\n((?: .*\n)*)", listed, re.MULTILINE)
    bodies = {int(place, 16): body for place, _, body in heads}  # names of local functions repeat
    reached: set[int] = set()
    found: set[int] = set()
    ahead = [int(place, 16) for place, name, _ in heads if name == root]
    while ahead:
        if (function := ahead.pop()) not in reached:
            reached.add(function)
            body = bodies[function]
            calls = re.findall(r"\bjal?\b.*?([0-9a-f]+) <\w+>$", body, re.MULTILINE)
            ahead += [int(place, 16) for place in calls]
            places = re.findall(r"^ *([0-9a-f]+):", body, re.MULTILINE)
            found |= {int(place, 16) // LINE_BYTES for place in places}
    assert len(reached) > 4, f"{root}: {len(reached)} functions"
    return found


@pytest.mark.parametrize("root", ["x25519_step", "p256_double"])
@pytest.mark.parametrize("pair", UNITS, ids=_name)
def test_a_step_of_a_unit_fits_a_cache(pair: tuple[Accelerator, Variant], root: str) -> None:
    """No two lines of the code of a step have one place in the cache, wherever it is linked."""
    core = next(found for found in platform.discover() if not reason_to_skip(*pair, found))
    lines = _lines(build_ecc_firmware(*pair, core).elf, root)
    assert len({line % CACHE_LINES for line in lines}) == len(lines)


# Faults: (file, the present text, the new text, functions that must turn red)
FAULTS = {
    "a dropped carry": ("words.c", "c2 += (uint32_t)(c1 < hi_);", "", ("x25519", "p256_ecdh")),
    "no final subtraction, 2^255 - 19": (
        "x25519.c",
        "  ecc_select(a, mask, a, t, 8);\n",
        "  (void)mask;\n",
        ("x25519",),
    ),
    "no final subtraction, P-256": (
        "f256.c",
        "  add_prime(r, (uint32_t)sum + c);",
        "  add_prime(r, ~0u);\n  (void)c;",
        ("p256_ecdh",),
    ),
    "no check of the point": (
        "p256.c",
        "  return ~ecc_is_zero(t, 8);",
        "  return 0u;",
        ("p256_ecdh", "p256_ecdsa_verify"),
    ),
    "no check of the coordinates": (
        "p256.c",
        "  if (good == 0u) {",
        "  if (0) {",
        ("p256_ecdh", "p256_ecdsa_verify"),
    ),
    "no check of zero": (
        "x25519.c",
        "ecc_is_zero(s.x2, 8) != 0u ? ECC_ERR_POINT : ECC_OK",
        "ECC_OK",
        ("x25519",),
    ),
    "no check of the scalar": (
        "p256.c",
        "  return ecc_is_zero(k, 8) | ~ecc_is_less(k, p256_order, 8);",
        "  return 0u;",
        ("p256_public_key", "p256_ecdsa_verify"),
    ),
    "the last addition is never a doubling": (
        "p256.c",
        "uint32_t same = ecc_is_zero(w->q.z, 8);",
        "uint32_t same = 0u;",
        ("p256_ecdh", "p256_public_key"),
    ),
    "the top bit of u counts": (
        "x25519.c",
        "  s.x1[7] &= 0x7fffffffu;\n",
        "",
        ("x25519",),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_seen(fault: str, tmp_path: Path) -> None:
    """Each fault turns the functions red that it concerns."""
    file, old, new, functions = FAULTS[fault]
    sources = tmp_path / "ecc"
    shutil.copytree(ECC, sources)
    text = (sources / file).read_text(encoding="utf-8")
    assert old in text
    (sources / file).write_text(text.replace(old, new), encoding="utf-8")
    checks = list(ecc_vectors.cases())
    program = ecc_host.build(*SOFTWARE[0], sources=sources, sanitize=False)
    _, wrong = compare(checks, ecc_host.run(program, checks))
    red = {name.partition(" ")[0] for name in wrong}
    assert red >= set(functions)


REFUSING = """
#include "hmac_sha256.h"
#include <string.h>
static void keyed(short_sha256_t *s, const uint8_t key[32], uint8_t pad) {
  uint8_t block[64];
  for (unsigned i = 0; i < 64u; i++) block[i] = (uint8_t)((i < 32u ? key[i] : 0u) ^ pad);
  short_sha256_init(s);
  short_sha256_update(s, block, 64u);
}
void hmac_sha256(uint8_t mac[32], const uint8_t key[32], const uint8_t *const data[],
                 const size_t bytes[], size_t parts) {
  static unsigned calls;
  short_sha256_t s;
  uint8_t inner[32];
  keyed(&s, key, 0x36u);
  for (size_t i = 0; i < parts; i++) short_sha256_update(&s, data[i], bytes[i]);
  short_sha256_final(&s, inner);
  keyed(&s, key, 0x5cu);
  short_sha256_update(&s, inner, 32u);
  short_sha256_final(&s, mac);
  if (++calls == 5u) memset(mac, 0xff, 32u);
  if (calls == 8u) memset(mac, 0, 32u);
}
"""


def test_nonces_out_of_range_are_replaced(tmp_path: Path) -> None:
    """Candidates n or more, and zero, which no real hash gives in reasonable time."""
    extra = tmp_path / "refusing.c"
    extra.write_text(REFUSING, encoding="utf-8")
    scalar, hashed = bytes(range(1, 33)), hashlib.sha256(b"retry").digest()
    program = ecc_host.build(*SOFTWARE[0], extra=[extra], sanitize=False)
    case = CurveCase("retry", "", "p256_ecdsa_sign", scalar + hashed)
    (answer,) = ecc_host.run(program, [case])
    calls = 0

    def mac(key: bytes, data: bytes) -> bytes:
        nonlocal calls
        calls += 1
        result = hmac.new(key, data, hashlib.sha256).digest()
        return {5: b"\xff" * 32, 8: bytes(32)}.get(calls, result)

    k, v = bytes(32), b"\x01" * 32
    z = int.from_bytes(hashed, "big") % ecc_vectors.N
    for byte in (b"\0", b"\1"):
        k = mac(k, v + byte + scalar + z.to_bytes(32, "big"))
        v = mac(k, v)
    for _ in range(2):
        v = mac(k, v)
        assert not 0 < int.from_bytes(v, "big") < ecc_vectors.N
        k = mac(k, v + b"\0")
        v = mac(k, v)
    v = mac(k, v)
    nonce = int.from_bytes(v, "big")
    r = (
        int.from_bytes(ecc_vectors.public_key(nonce.to_bytes(32, "big"))[:32], "big")
        % ecc_vectors.N
    )
    s = pow(nonce, -1, ecc_vectors.N) * (z + r * int.from_bytes(scalar, "big")) % ecc_vectors.N
    assert answer == CurveAnswer(0, 0, 0, r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def test_a_refused_call_writes_nothing() -> None:
    """A written byte is wrong, and so is a call that is not refused."""
    case = CurveCase("", "", "p256_public_key", bytes(32), SCALAR)
    good = CurveAnswer(SCALAR, 0, 0, bytes([UNTOUCHED]) * 64)
    assert good.fulfils(case)
    assert not replace(good, output=bytes([UNTOUCHED]) * 63 + b"\0").fulfils(case)
    assert not replace(good, status=0).fulfils(case)


def test_answers_must_be_complete() -> None:
    """A run that ends early is an error."""
    whole = b"\0" * 16
    assert unpack(whole, 1) == [CurveAnswer(0, 0, 0, b"")]
    for stream, count in ((whole[:-1], 1), (whole, 2), (whole + b"\0", 1)):
        with pytest.raises(SimulationError):
            unpack(stream, count)


def test_vector_files_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite that lost cases is an error."""
    ecc_vectors.cases.cache_clear()
    monkeypatch.setattr(ecc_vectors, "_p256_rfc6979", lambda: iter(()))
    with pytest.raises(ecc_vectors.VectorError, match="RFC 6979"):
        ecc_vectors.cases()
    monkeypatch.undo()
    ecc_vectors.cases.cache_clear()


@pytest.mark.parametrize("where", platform.discover(), ids=lambda found: found.name)
def test_a_sample_on_every_platform(where: platform.Platform) -> None:
    """A unit on a core gives what the host gives."""
    accelerator, variant = UNITS[-1]
    job = Job(accelerator, variant, where, "ecc", Settings(curves=("x25519",)))
    record = measure(job)
    assert record.status == "passed", record.reason
    assert record.counts["wrong"] == 0
