# SPDX-License-Identifier: Apache-2.0
"""Columns as 32-bit words, for models of instructions: row 0 in bits 7 to 0 (little-endian).

That is how a little-endian core loads four bytes of a block, and how every unit here sees a column.
"""

from aesforge.model.fips197 import INV_SBOX, SBOX, inv_mix_column, mix_column

MASK = 0xFFFFFFFF


def words(block: bytes) -> list[int]:
    """The columns of a block (any multiple of 4 bytes) as words."""
    if len(block) % 4:
        raise ValueError(f"{len(block)} bytes are not whole columns of 4")
    return [int.from_bytes(block[i : i + 4], "little") for i in range(0, len(block), 4)]


def block(columns: list[int]) -> bytes:
    """Words back to bytes; OverflowError for a word of more than 32 bits."""
    return b"".join(word.to_bytes(4, "little") for word in columns)


def byte(word: int, row: int) -> int:
    """Byte `row` (0 to 3) of a word."""
    return word >> 8 * row & 0xFF


def rotl32(word: int, n: int) -> int:
    """Rotate a word left by n bits, 0 to 31; by 8 this moves row r to row r + 1."""
    return (word << n | word >> (32 - n)) & MASK


def sub_word(word: int) -> int:
    """The S-box on all four bytes."""
    return column_word(bytes(SBOX[b] for b in word.to_bytes(4, "little")))


def inv_sub_word(word: int) -> int:
    """The inverse S-box on all four bytes."""
    return column_word(bytes(INV_SBOX[b] for b in word.to_bytes(4, "little")))


def column_word(column: bytes) -> int:
    """One column of four bytes as a word."""
    return int.from_bytes(column, "little")


def mix_word(word: int) -> int:
    """MixColumns on one column (FIPS 197, 5.1.3)."""
    return column_word(mix_column(word.to_bytes(4, "little")))


def inv_mix_word(word: int) -> int:
    """InvMixColumns on one column (FIPS 197, 5.3.3)."""
    return column_word(inv_mix_column(word.to_bytes(4, "little")))


def table_word(value: int, row: int) -> int:
    """T-table word: MixColumns of the column that has SBox(value) in `row` and zeros elsewhere."""
    return mix_word(SBOX[value] << 8 * row)


def inv_table_word(value: int, row: int) -> int:
    """Inverse T-table word: InvMixColumns of InvSBox(value) in `row` and zeros elsewhere."""
    return inv_mix_word(INV_SBOX[value] << 8 * row)
