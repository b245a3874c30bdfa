# SPDX-License-Identifier: Apache-2.0
"""On the emulated unit the order of sw/binary_schedule.h equals the model; faults do not."""

import ctypes
import random
import shutil
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.build import codegen
from aesforge.build.system import ECC
from aesforge.catalog import manifest
from aesforge.model.binary_curve import CURVES

UNIT = manifest.load(Path(__file__).resolve().parents[1])
FIELDS = {"163": CURVES["sect163k1"], "233": CURVES["k233"]}
SOURCES = ("sw/binary.c", "sw/binary_schedule.h")
WORDS = 8


def build(folder: Path, variant_name: str, right: str = "", fault: str = "") -> ctypes.CDLL:
    """Compile the fields for the host, with one text of the schedule replaced by another."""
    variant = UNIT.variant(variant_name)
    generated = codegen.generate(folder, UNIT, variant)
    for source in SOURCES:
        shutil.copy(UNIT.file(source), folder)
    schedule = folder / "binary_schedule.h"
    text = schedule.read_text(encoding="utf-8")
    assert right in text
    schedule.write_text(text.replace(right, fault, 1), encoding="utf-8")
    library = folder / "host.so"
    macros = ("ACCEL_EMULATE", *UNIT.manifest.macros(variant), *variant.defines)
    includes = (generated.include, folder, ECC, UNIT.folder / "sw")
    proc.run(
        [
            *("gcc", "-std=gnu99", "-O1", "-shared", "-fPIC", *(f"-D{name}" for name in macros)),
            *(f"-I{path}" for path in (*includes, ECC.parent / "include")),
            *(folder / "binary.c", UNIT.file("sw/emul.c"), "-o", library),
        ],
        timeout=120,
    )
    return ctypes.CDLL(str(library))


def element(value: int) -> ctypes.Array[ctypes.c_uint32]:
    """A field element's words."""
    return (ctypes.c_uint32 * WORDS)(*(value >> (32 * i) & 0xFFFFFFFF for i in range(WORDS)))


def number_of(words: ctypes.Array[ctypes.c_uint32]) -> int:
    """The polynomial in an element's words."""
    return sum(word << (32 * i) for i, word in enumerate(words))


def wrong(library: ctypes.CDLL) -> int:
    """How many products and powers are wrong; the accumulator holds noise at first."""
    count = 0
    for name, curve in FIELDS.items():
        width = 32 * -(-curve.degree // 32)
        rng = random.Random(f"unit {name}")
        values = [0, 1, curve.polynomial, (1 << width) - 1, 1 << (width - 1)]
        values += [rng.getrandbits(width) for _ in range(5)]
        for a in values:
            for b in values:
                result = element(0)
                library.um_gf2mul(rng.getrandbits(32), rng.getrandbits(32))
                library[f"gf2_{name}_mul"](result, element(a), element(b))
                count += curve.reduce(number_of(result)) != curve.times(a, b)
            for n in (1, 2, 5):
                power = a
                for _ in range(n):
                    power = curve.times(power, power)
                result = element(a)
                library[f"gf2_{name}_sqr_n"](result, result, n)
                count += curve.reduce(number_of(result)) != power
    return count


@pytest.mark.parametrize("variant", ["ecc", "fast"])
def test_products_and_squares(tmp_path: Path, variant: str) -> None:
    """Both with the paper's operations and with those of the fast unit."""
    assert wrong(build(tmp_path, variant)) == 0


@pytest.mark.parametrize(
    ("right", "fault"),
    [
        ("#define TAPS_233_LOW 0x800000", "#define TAPS_233_LOW 0x400000"),
        ("#define TAPS_163_HIGH 0x19", "#define TAPS_163_HIGH 0x18"),
        ("OUT(W14, a7, b7) HIGH(W15)", "HIGH(W14) HIGH(W15)"),  # the last column
        ("OUT(W10, a5, b5) HIGH(W11)", "HIGH(W10) HIGH(W11)"),
        ("HIGH(a7) MAC(a0, b0) ADD(W11, a7)", "HIGH(a7) MAC(a0, b0)"),  # a run's carry
        ("OUT(W8, W13, TAP_HIGH)", "HIGH(W8)"),
    ],
)
def test_faults_are_seen(tmp_path: Path, right: str, fault: str) -> None:
    """A wrong tap, a missing column, a lost carry, a word that is not folded twice."""
    assert wrong(build(tmp_path, "fast", right, fault)) > 0
