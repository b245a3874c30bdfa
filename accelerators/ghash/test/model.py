# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from SP 800-38D, sections 6.3 and 6.4.

Words are 32 bits, the first byte of a block in the lowest byte of word 0. The product is the
standard's algorithm 1, bit by bit, on blocks as it writes them: the first bit is the highest.
"""

R = 0xE1 << 120


class _Unit:
    """Number, subkey, block and hash; the last three as four words each."""

    def __init__(self) -> None:
        self.number = 0
        self.key = [0] * 4
        self.block = [0] * 4
        self.hash = [0] * 4


_unit = _Unit()


def reset() -> None:
    """Forget everything, as the unit does on reset."""
    _unit.__init__()  # type: ignore[misc]


def _integer(words: list[int]) -> int:
    """A block as the standard writes it."""
    return int.from_bytes(b"".join(word.to_bytes(4, "little") for word in words), "big")


def _words(block: int) -> list[int]:
    """The words of a block."""
    data = block.to_bytes(16, "big")
    return [int.from_bytes(data[4 * i : 4 * i + 4], "little") for i in range(4)]


def product(x: int, y: int) -> int:
    """Algorithm 1: the product of two blocks."""
    z, v = 0, y
    for i in range(127, -1, -1):
        if x >> i & 1:
            z ^= v
        v = v >> 1 ^ R if v & 1 else v >> 1
    return z


def gh_begin(rs1: int) -> int:
    """Clear everything and name the subkey that follows. Returns 0."""
    reset()
    _unit.number = rs1 & 0xFFFFFF
    return 0


def gh_key(rs1: int, rs2: int, half: int) -> int:
    """Two words of the subkey. Returns 0."""
    _unit.key[2 * half : 2 * half + 2] = [rs1, rs2]
    return 0


def gh_absorb(rs1: int, rs2: int, half: int) -> int:
    """Two words of a block; with the second two the hash is multiplied. Returns 0."""
    for at, word in ((2 * half, rs1), (2 * half + 1, rs2)):
        _unit.block[at] = _unit.hash[at] ^ word
    if half:
        _unit.hash = _words(product(_integer(_unit.block), _integer(_unit.key)))
        _unit.block = [0] * 4
    return 0


def gh_read(_rs1: int, word: int) -> int:
    """A word of the hash."""
    return _unit.hash[word]


def gh_end(_rs1: int) -> int:
    """Clear block and hash; return the subkey's number."""
    _unit.block = [0] * 4
    _unit.hash = [0] * 4
    return _unit.number
