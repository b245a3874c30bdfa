# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from FIPS 197 and SP 800-38A.

Words are 32 bits, the first byte of a block in the lowest byte of word 0. Sharings do not show in
any answer, so the model has none but the key's.
"""

import random
from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

_CBC = 1
_MOST = 16  # words inside
_SEED = 5
_WORD = 0xFFFFFFFF


# Numbers of keys: a linear feedback shift register of period 2^32 - 1; all ones is the last.
_TAPS = 0x80200003


def _after(number: int) -> int:
    if number == _WORD:
        return _WORD
    return number << 1 & _WORD | (number & _TAPS).bit_count() & 1


class _Unit:
    """What the unit keeps."""

    def __init__(self) -> None:
        self.seeded = False
        self.seed = 0  # words of a new seed
        self.number = _WORD - 1
        self.mode = 0
        self.wipe()

    def wipe(self) -> None:
        """Forget the key and all that belongs to a message."""
        self.size = 0  # words of the key that is being written
        self.shares: list[list[int]] = [[], []]
        self.key: bytes | None = None
        self.restart()

    def restart(self) -> None:
        """Forget what belongs to a message."""
        self.chain = bytes(16)
        self.texts: list[int] = []  # of a block that is not whole
        self.results: list[int] = []

    def inside(self) -> int:
        """Words written and not read: a block whose last word is read has left."""
        return len(self.texts) + len(self.results)


_unit = _Unit()


def reset() -> None:
    """Forget everything, as the unit does on reset."""
    _unit.__init__()  # type: ignore[misc]


def _octets(words: list[int]) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)


def _xor(x: bytes, y: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(x, y, strict=True))


def mb_seed(_rs1: int, item: int) -> int:
    """A word of a seed; the last one wipes the unit and begins the fresh bits. Returns 0."""
    if item in {0, _unit.seed}:
        _unit.seed = (item + 1) % _SEED
        if _unit.seed == 0:
            _unit.wipe()
            _unit.seeded = True
    return 0


def mb_begin(_rs1: int, item: int) -> int:
    """Wipe, go to the next number, and let a key be written. Returns 0."""
    _unit.wipe()
    _unit.mode = 0
    _unit.number = _after(_unit.number)
    if _unit.seeded:
        _unit.size = (0, 4, 6, 8)[item]
    return 0


def mb_key(rs1: int, item: int) -> int:
    """A word of a share of the key. Returns the number when the key is complete, else 0."""
    shares, size = _unit.shares, _unit.size
    due = 0 if len(shares[0]) < size else 1
    if size == 0 or item != due:
        return 0
    shares[item].append(rs1)
    if len(shares[1]) < size:
        return 0
    _unit.key = _xor(_octets(shares[0]), _octets(shares[1]))
    _unit.size = 0
    _unit.shares = [[], []]
    return _unit.number


def mb_mode(_rs1: int, item: int) -> int:
    """Drop all blocks, set the mode. Returns 0."""
    _unit.restart()
    _unit.mode = item
    return 0


def mb_iv(rs1: int) -> int:
    """The next word of chaining value or counter. Returns 0."""
    if _unit.inside() == 0 and len(_unit.shares[0]) == len(_unit.shares[1]):
        _unit.chain = _unit.chain[4:] + _octets([rs1])
    return 0


def _block(text: bytes) -> bytes:
    """A block by the mode."""
    mode, chain = _unit.mode, _unit.chain
    cipher = Cipher(algorithms.AES(_unit.key or b""), modes.ECB()).encryptor()
    if mode > _CBC:
        count = (int.from_bytes(chain[12:], "big") + 1) & _WORD
        _unit.chain = chain[:12] + count.to_bytes(4, "big")
        return _xor(text, cipher.update(chain))
    if mode == _CBC:
        _unit.chain = cipher.update(_xor(text, chain))
        return _unit.chain
    return cipher.update(text)


def mb_put(rs1: int) -> int:
    """A word of text. Returns 0."""
    if _unit.key is not None and _unit.inside() < _MOST:
        _unit.texts.append(rs1)
        if len(_unit.texts) == 4:
            out = _block(_octets(_unit.texts))
            _unit.results += [int.from_bytes(out[at : at + 4], "little") for at in range(0, 16, 4)]
            _unit.texts = []
    return 0


def mb_get(_rs1: int) -> int:
    """The next word of the results, if there is one."""
    return _unit.results.pop(0) if _unit.results else 0


def mb_turn(rs1: int) -> int:
    """A word of the results; then as mb_put."""
    answer = mb_get(rs1)
    mb_put(rs1)
    return answer


def mb_look(_rs1: int, item: int) -> int:
    """The number of a complete key, or whether the unit has a seed."""
    return int(_unit.seeded) if item else _unit.number * (_unit.key is not None)


def conversation(rng: random.Random) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Seeds, keys and messages as a kernel gives them, with requests left out and others between.

    After each the state shows in an answer, as far as it does at all.
    """
    for _ in range(60):
        for name, words in _session(rng):
            if rng.random() < 0.03:
                continue
            yield name, words
            yield "mb_look", (rng.getrandbits(32), rng.randrange(2))
            if rng.random() < 0.03:
                yield name, words


def _session(rng: random.Random) -> Iterator[tuple[str, tuple[int, ...]]]:
    """One seed and key, and some messages."""

    def word() -> int:
        return rng.getrandbits(32)

    for item in range(_SEED):
        yield "mb_seed", (word(), item)
    size = rng.randrange(1, 4)
    yield "mb_begin", (word(), size)
    for item in (0, 1):
        for _ in range(2 + 2 * size):
            yield "mb_key", (word(), item)
    for _ in range(4):
        yield "mb_mode", (word(), rng.randrange(3))
        for _ in range(rng.choice((0, 4, 4))):
            yield "mb_iv", (word(),)
        inside = 4 * rng.randrange(1, 5)
        for _ in range(inside):
            yield "mb_put", (word(),)
        for _ in range(rng.choice((0, 4, 8))):
            yield "mb_turn", (word(),)
        for _ in range(inside + 1):
            yield "mb_get", (word(),)
