# SPDX-License-Identifier: Apache-2.0
"""The unit's prime fields: extreme operands against Python, and faults that must be seen."""

import ctypes
import itertools
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from aesforge.build import codegen
from aesforge.build.system import ECC, INCLUDE
from aesforge.catalog import manifest
from aesforge.reference import ecc_vectors
from aesforge.reference.ecc import compare
from aesforge.verify import ecc_host

HERE = Path(__file__).resolve().parents[1]
P25519 = 2**255 - 19
P256, ORDER = ecc_vectors.P, ecc_vectors.N
Words = ctypes.c_uint32 * 8

# the present text, the new text, functions that must turn red
FAULTS = {
    "a carry of the sum is dropped": ("NEG(K, K) ANDI(K, K, 38)", "LI(K, 0)", {"x25519"}),
    "a borrow is 38 and not 39": ("LI(K, 37)", "LI(K, 38)", {"x25519"}),
    "the second word above 2^256 is dropped": (
        "UM(macu, B3, B4) UMD(addx, X1, T1, ZERO)",
        "UMD(addx, X1, T1, ZERO)",
        {"x25519"},
    ),
    "no final subtraction": (
        "UMD(shacr, T2, ZERO, ZERO) ADD(T1, T1, T2) \\\n  ADD_PRIME",
        "UMD(shacr, T2, ZERO, ZERO) LI(T1, -1) \\\n  ADD_PRIME",
        {"p256_ecdh"},
    ),
    "one term of the reduction is missing": (
        "#define UP_13 UM(add, T7, T5) UM(sub, ZERO, T6)",
        "#define UP_13 UM(add, T7, T5)",
        {"p256_ecdh"},
    ),
    "no final subtraction modulo the order": (
        "AND(B0, B0, T1) AND(B1, B1, T1)",
        "LI(T1, -1) AND(B0, B0, T1) AND(B1, B1, T1)",
        {"p256_ecdsa_sign"},
    ),
}


# Faults that only extreme operands of the ladder's step show.
HIDDEN = {
    "the 38 of a carry do not reach the second word": (
        "UMD(addx, T0, T0, K) UMD(addx, T1, T1, ZERO)",
        "UMD(addx, T0, T0, K) UM(mulu, ZERO, ZERO)",
    ),
    "what is borrowed stays in the first word": (
        "UMD(subx, X0, X0, B0) UMD(subx, X1, X1, ZERO)",
        "UMD(subx, X0, X0, B0) UM(mulu, ZERO, ZERO)",
    ),
}


def _library(folder: Path, source: str) -> ctypes.CDLL:
    """The fields on the emulated unit, made from a text of prime.inc."""
    accelerator = manifest.load(HERE)
    variant = accelerator.variant("fast")
    (folder / "prime.inc").write_text(source, encoding="utf-8")
    for name in ("prime.c", "prime.h"):
        shutil.copy(HERE / "sw" / name, folder)
    include = codegen.generate(folder, accelerator, variant).include
    library = folder / "prime.so"
    flags = ["-std=gnu99", "-O1", "-shared", "-fPIC", "-DACCEL_EMULATE"]
    flags += [f"-D{word}" for word in variant.defines]
    flags += [f"-I{path}" for path in (folder, include, ECC, INCLUDE)]
    files = [folder / "prime.c", HERE / "sw" / "emul.c", ECC / "words.c"]
    subprocess.run(["gcc", *flags, *files, "-o", library], check=True, timeout=120)
    return ctypes.CDLL(str(library))


def _words(number: int) -> "ctypes.Array[ctypes.c_uint32]":
    return Words(*(number >> 32 * i & 0xFFFFFFFF for i in range(8)))


def _number(words: "ctypes.Array[ctypes.c_uint32]") -> int:
    return sum(word << 32 * i for i, word in enumerate(words))


def _step(x1: int, state: tuple[int, int, int, int], swap: int) -> tuple[int, ...]:
    """One step of RFC 7748, section 5, word by word as printed there."""
    x2, z2, x3, z3 = state
    if swap:
        x2, x3, z2, z3 = x3, x2, z3, z2
    a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
    da, cb = d * a, c * b
    aa, bb = a * a, b * b
    e = aa - bb
    new = (aa * bb, e * (aa + 121665 * e), (da + cb) ** 2, x1 * (da - cb) ** 2)
    return tuple(value % P25519 for value in new)


def _wrong_steps(library: ctypes.CDLL) -> int:
    """Steps from the ends of the range of tight numbers that go wrong."""
    top = 2**255 + 2**43 - 1
    ends = [0, 1, 37, 38, 39, P25519, 2**255 - 1, 2**255, top, top - 2**32 + 40, 2**254]
    ends += [2**255 + 2**32 - k for k in (1, 20, 38)]
    rng = random.Random("steps")
    wrong = 0
    for x2, z2 in itertools.product(ends, ends):
        state, swap = (x2, z2, rng.choice(ends), rng.choice(ends)), rng.randrange(2)
        x1 = rng.getrandbits(255)
        memory = (ctypes.c_uint32 * 72)()
        for i, value in enumerate((x1, *state)):
            memory[8 * i : 8 * i + 8] = list(_words(value))
        library.x25519_step(memory, ctypes.c_uint32(swap))
        found = [_number(Words(*memory[8 * i : 8 * i + 8])) for i in range(1, 5)]
        wrong += max(found) > top or tuple(v % P25519 for v in found) != _step(x1, state, swap)
    return wrong


def test_extreme_operands(tmp_path: Path) -> None:
    """Every field function at the ends of its range."""
    library = _library(tmp_path, (HERE / "sw" / "prime.inc").read_text(encoding="utf-8"))
    assert _wrong_steps(library) == 0
    rng = random.Random("extremes")
    inverse = pow(2**256, -1, P256), pow(2**256, -1, ORDER)
    for prime, functions in (
        (P25519, {"f25519_mul": lambda a, b: a * b}),
        (
            P256,
            {
                "f256_mul": lambda a, b: a * b * inverse[0],
                "f256_add": lambda a, b: a + b,
                "f256_sub": lambda a, b: a - b,
            },
        ),
        (ORDER, {"p256_order_mul": lambda a, b: a * b * inverse[1]}),
    ):
        loose = prime == P25519
        ends = [0, 1, 2, prime - 1, prime - 2, prime >> 1, 2**32 - 1, 2**224, 2**96]
        ends += [prime, 2**256 - 1, 2**256 - 38] if loose else []
        ends += [rng.randrange(prime) for _ in range(4)]
        for (name, right), a, b in itertools.product(functions.items(), ends, ends):
            result = Words()
            getattr(library, name)(result, _words(a), _words(b))
            assert _number(result) % prime == right(a, b) % prime, (name, a, b)
            assert loose or _number(result) < prime


@pytest.mark.parametrize("fault", HIDDEN)
def test_faults_at_the_ends_are_seen(fault: str, tmp_path: Path) -> None:
    """Carries that a random number never has."""
    old, new = HIDDEN[fault]
    text = (HERE / "sw" / "prime.inc").read_text(encoding="utf-8")
    assert old in text
    assert _wrong_steps(_library(tmp_path, text.replace(old, new))) > 0


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_seen(fault: str, tmp_path: Path) -> None:
    """Each fault turns the functions red that it concerns."""
    old, new, functions = FAULTS[fault]
    folder = tmp_path / HERE.name
    shutil.copytree(HERE, folder)
    source = folder / "sw" / "prime.inc"
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new), encoding="utf-8")
    accelerator = manifest.load(folder)
    program = ecc_host.build(accelerator, accelerator.variant("fast"), sanitize=False)
    checks = list(ecc_vectors.cases())
    _, wrong = compare(checks, ecc_host.run(program, checks))
    red = {name.partition(" ")[0] for name in wrong}
    assert red >= functions
