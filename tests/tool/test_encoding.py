# SPDX-License-Identifier: Apache-2.0
"""Encoding patterns: reading, writing, collisions, and what is wrong with wrong ones."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aesforge.catalog import encoding

pytestmark = pytest.mark.quick

R_TYPE = "0001000 rs2 rs1 000 rd 0001011"
R4_TYPE = "rs3 01 rs2 rs1 010 rd 0101011"
TOP_IMMEDIATE = "bs[1:0] 10001 rs2 rs1 000 rd 0110011"
LOW_IMMEDIATE = "0010000 00 row[2:0] rs1 001 rd 0001011"

REGISTER = st.integers(0, 31)


def test_the_ratified_encoding_of_aes32esi() -> None:
    """Scalar cryptography extension 1.0.1, aes32esi: bs 10001 rs2 rs1 000 rd 0110011."""
    parsed = encoding.parse(TOP_IMMEDIATE)
    assert parsed.mask == 0x3E00707F
    assert parsed.value == 0x22000033
    word = parsed.encode(10, {"rs1": 11, "rs2": 12}, {"bs": 3})
    assert word == 0xE2C58533  # binutils 2.40: aes32esi a0, a1, a2, 3


@given(REGISTER, REGISTER, REGISTER, st.integers(0, 3))
def test_decode_undoes_encode(rd: int, rs1: int, rs2: int, bs: int) -> None:
    """Every field comes back."""
    parsed = encoding.parse(TOP_IMMEDIATE)
    word = parsed.encode(rd, {"rs1": rs1, "rs2": rs2}, {"bs": bs})
    assert parsed.matches(word)
    assert parsed.decode(word) == (rd, {"rs1": rs1, "rs2": rs2}, {"bs": bs})


@given(REGISTER, REGISTER, st.integers(0, 7))
def test_an_immediate_in_place_of_rs2(rd: int, rs1: int, row: int) -> None:
    """Immediates within bits 24:20 are found too."""
    parsed = encoding.parse(LOW_IMMEDIATE)
    word = parsed.encode(rd, {"rs1": rs1}, {"row": row})
    assert word >> 20 & 31 == row
    assert parsed.decode(word) == (rd, {"rs1": rs1}, {"row": row})


def test_three_register_operands() -> None:
    """R4 form, sources in the order rs1, rs2, rs3."""
    parsed = encoding.parse(R4_TYPE)
    assert parsed.registers == ("rs1", "rs2", "rs3")
    word = parsed.encode(1, {"rs1": 2, "rs2": 3, "rs3": 4}, {})
    assert word == 4 << 27 | 1 << 25 | 3 << 20 | 2 << 15 | 2 << 12 | 1 << 7 | 0x2B


def test_another_major_opcode() -> None:
    """A port that offers one opcode only replaces bits 6:0 and nothing else."""
    parsed = encoding.parse(TOP_IMMEDIATE).with_opcode(encoding.CUSTOM_0)
    assert parsed.opcode == 0x0B
    assert parsed.value == 0x2200000B
    assert parsed.mask == 0x3E00707F


@pytest.mark.parametrize(
    ("one", "other", "collide"),
    [
        (R_TYPE, R_TYPE, True),
        (R_TYPE, "0001001 rs2 rs1 000 rd 0001011", False),
        (R_TYPE, "000100 inv[0:0] rs2 rs1 000 rd 0001011", True),
        (R_TYPE, "0001000 rs2 rs1 001 rd 0001011", False),
        (R4_TYPE, "0000001 rs2 rs1 010 rd 0101011", True),
        (R4_TYPE, "0000010 rs2 rs1 010 rd 0101011", False),
    ],
)
def test_collisions(one: str, other: str, collide: bool) -> None:
    """Two encodings collide if one word could be both."""
    first, second = encoding.parse(one), encoding.parse(other)
    assert first.collides(second) is collide
    assert second.collides(first) is collide


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("0001000 rs2 rs1 000 rd 000101", "has 31 bits, not 32"),
        ("0001000 rs2 rs1 000 rd 00010110", "has 33 bits, not 32"),
        ("000100 rs2 rs1 000 rd 00010110", "rs2 must be at bits 24:20, not 25"),
        ("0001000 rs1 rs2 000 rd 0001011", "rs1 must be at bits 19:15, not 24"),
        ("0001000 rs2 rs1 000 rd 0001010", "opcode"),
        ("0001000 rs2 rs1 f[2:0] rd 0001011", "must be within bits 31:25 or 24:20"),
        ("0001000 00000 rs1 000 00000 0001011", "rd and rs1 are needed"),
        ("0001000 rs2 00000 000 rd 0001011", "rd and rs1 are needed"),
        ("0001000 rs4 rs1 000 rd 0001011", "cannot read 'rs4'"),
        ("00100 bs[2:1] rs2 rs1 000 rd 0001011", "must be name[hi:0]"),
        ("000 a[1:0] a[1:0] rs2 rs1 000 rd 0001011", "appears twice"),
        ("00010 rd[1:0] rs2 rs1 000 rd 0001011", "register's name"),
        ("", "has 0 bits"),
    ],
)
def test_wrong_patterns_say_what_is_wrong(pattern: str, message: str) -> None:
    """Each mistake has its own message."""
    with pytest.raises(ValueError, match=re.escape(message)):
        encoding.parse(pattern)


@pytest.mark.parametrize(
    ("rd", "rs1", "bs", "message"),
    [(32, 0, 0, "rd = 32"), (0, -1, 0, "rs1 = -1"), (0, 0, 4, "bs = 4 does not fit 2 bits")],
)
def test_values_that_do_not_fit(rd: int, rs1: int, bs: int, message: str) -> None:
    """Register numbers and immediates are bounded."""
    with pytest.raises(ValueError, match=message):
        encoding.parse(TOP_IMMEDIATE).encode(rd, {"rs1": rs1, "rs2": 0}, {"bs": bs})
