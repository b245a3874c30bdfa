# SPDX-License-Identifier: Apache-2.0
"""The operations on Python integers, from FIPS 197, SP 800-38A and SP 800-38D.

Words are 32 bits, the first byte of a block in the lowest byte of word 0.
"""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

_R = 0xE1 << 120  # SP 800-38D, section 6.3
_CIPHER, _ECB, _CBC, _CTR = 3, 1, 2, 3
_INVERSE, _HASH, _HASH_RESULT, _CLEAR = 4, 8, 16, 32


class _Unit:
    """What the unit keeps; blocks are bytes."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.open = False
        self.words = [0] * 8  # the key
        self.key: bytes | None = None
        self.erase()

    def erase(self) -> None:
        """Forget everything that belongs to a message."""
        self.mode = 0
        self.half = bytes(8)
        self.result = self.chain = self.subkey = self.hash = bytes(16)


_unit = _Unit()


def reset() -> None:
    """Forget everything, as the unit does on reset."""
    _unit.__init__()  # type: ignore[misc]


def _pair(rs1: int, rs2: int) -> bytes:
    return rs1.to_bytes(4, "little") + rs2.to_bytes(4, "little")


def _word(block: bytes, at: int) -> int:
    return int.from_bytes(block[4 * at : 4 * at + 4], "little")


def _xor(x: bytes, y: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(x, y, strict=True))


def product(x: bytes, y: bytes) -> bytes:
    """SP 800-38D, algorithm 1: the product of two blocks."""
    z, v, bits = 0, int.from_bytes(y, "big"), int.from_bytes(x, "big")
    for i in range(127, -1, -1):
        if bits >> i & 1:
            z ^= v
        v = v >> 1 ^ _R if v & 1 else v >> 1
    return z.to_bytes(16, "big")


def ab_begin(_rs1: int) -> int:
    """Clear everything, count the number up to its end, and let a key be written. Returns 0."""
    _unit.__init__(min(_unit.number + 1, 0xFFFFFFFF))  # type: ignore[misc]
    _unit.open = True
    return 0


def ab_key(rs1: int, item: int) -> int:
    """A word of the key. Returns 0."""
    if _unit.open:
        _unit.words[item] = rs1
    return 0


def ab_start(_rs1: int, item: int) -> int:
    """Expand the key. Returns its number, or 0 if no key was being written."""
    if not _unit.open:
        return 0
    _unit.open = False
    size = (16, 24, 32, 32)[item]
    _unit.key = b"".join(word.to_bytes(4, "little") for word in _unit.words)[:size]
    return _unit.number


def ab_mode(_rs1: int, item: int) -> int:
    """Set the mode, and clear everything but the key if asked to. Returns 0."""
    if item & _CLEAR:
        _unit.erase()
    _unit.mode = item & 31
    return 0


def ab_set(rs1: int, rs2: int, item: int) -> int:
    """Two words of chaining value, hash or subkey. Returns 0."""
    names = ("chain", "hash", "subkey")
    if item < 2 * len(names):
        name, half = names[item // 2], item % 2
        block = bytearray(getattr(_unit, name))
        block[8 * half : 8 * half + 8] = _pair(rs1, rs2)
        setattr(_unit, name, bytes(block))
    return 0


def _crypt(block: bytes, inverse: bool = False) -> bytes:
    """A block by the cipher alone."""
    cipher = Cipher(algorithms.AES(_unit.key or b""), modes.ECB())
    return (cipher.decryptor() if inverse else cipher.encryptor()).update(block)


def _absorb(block: bytes) -> None:
    _unit.hash = product(_xor(_unit.hash, block), _unit.subkey)


def _block(text: bytes) -> None:
    """A block by the mode."""
    cipher, inverse = _unit.mode & _CIPHER, bool(_unit.mode & _INVERSE)
    if cipher != 0 and _unit.key is None:
        _unit.result = bytes(16)
        return
    chain, result = _unit.chain, text
    if cipher == _CTR:
        result = _xor(text, _crypt(chain))
        count = (int.from_bytes(chain[12:], "big") + 1) & 0xFFFFFFFF
        _unit.chain = chain[:12] + count.to_bytes(4, "big")
    elif cipher == _CBC and not inverse:
        result = _unit.chain = _crypt(_xor(text, chain))
    elif cipher == _CBC:
        result = _xor(chain, _crypt(text, inverse=True))
        _unit.chain = text
    elif cipher == _ECB:
        result = _crypt(text, inverse)
    _unit.result = result
    if _unit.mode & _HASH and cipher in {0, _CTR}:
        _absorb(result if _unit.mode & _HASH_RESULT else text)


def ab_put(rs1: int, rs2: int, item: int) -> int:
    """Half a block; the second half completes it. Returns 0."""
    if item == 0:
        _unit.half = _pair(rs1, rs2)
    else:
        _block(_unit.half + _pair(rs1, rs2))
    return 0


def ab_turn(rs1: int, rs2: int, item: int) -> int:
    """The first or the last word of the result; then as ab_put."""
    answer = _word(_unit.result, 3 * item)
    ab_put(rs1, rs2, item)
    return answer


def ab_get(_rs1: int, item: int) -> int:
    """A word of the result."""
    return _word(_unit.result, item)


def ab_look(_rs1: int, item: int) -> int:
    """A word of what the unit keeps, of the key only its number."""
    shown = _unit.chain + _unit.hash + _unit.half
    if item < len(shown) // 4:
        return _word(shown, item)
    return {10: _unit.number, 11: _unit.mode}.get(item, 0)
