# SPDX-License-Identifier: Apache-2.0
"""AES as FIPS 197 (2001, updated 2023) writes it, for reading and as the oracle of everything else.

Names and section numbers are those of the standard. A block, a state and a round key are 16 `bytes`
in the order of the standard's byte sequences: byte 4*c + r is row r, column c of the state (3.4).
Nothing here is fast and nothing here is constant-time: this module defines right answers.
"""

from collections.abc import Callable

# --- 4  Mathematics -------------------------------------------------------------------------------

POLYNOMIAL = 0x11B  # m(x) = x^8 + x^4 + x^3 + x + 1 (4.2, equation 4.1 of the 2001 text)


def xtime(a: int) -> int:
    """Multiply the byte a by x, that is by {02} (4.2.1)."""
    a <<= 1
    return a ^ POLYNOMIAL if a & 0x100 else a


def gmul(a: int, b: int) -> int:
    """Product of two bytes in GF(2^8) (4.2)."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = xtime(a)
        b >>= 1
    return product


def ginv(a: int) -> int:
    """Multiplicative inverse of a byte, with 0 mapped to 0 (4.4, 5.1.1): a^254, since a^255 = 1."""
    result = 1
    for _ in range(254):
        result = gmul(result, a)
    return result


# --- 5.1.1 / 5.3.2  SubBytes and its inverse ------------------------------------------------------


def rotl8(a: int, n: int) -> int:
    """Rotate a byte left by n bits."""
    return ((a << n) | (a >> (8 - n))) & 0xFF


def affine(a: int) -> int:
    """The affine map (5.1.1): b_i = a_i + a_(i+4) + ... + a_(i+7) + c_i, c = {63}, i mod 8."""
    return a ^ rotl8(a, 1) ^ rotl8(a, 2) ^ rotl8(a, 3) ^ rotl8(a, 4) ^ 0x63


def affine_inv(a: int) -> int:
    """The inverse of `affine` (5.3.2): a_i = b_(i+2) + b_(i+5) + b_(i+7) + d_i, d = {05}."""
    return rotl8(a, 1) ^ rotl8(a, 3) ^ rotl8(a, 6) ^ 0x05


INVERSE = bytes(ginv(a) for a in range(256))
SBOX = bytes(affine(INVERSE[a]) for a in range(256))
INV_SBOX = bytes(INVERSE[affine_inv(a)] for a in range(256))


def sub_bytes(state: bytes) -> bytes:
    """SubBytes (5.1.1): the S-box on every byte; any length."""
    return bytes(SBOX[b] for b in state)


def inv_sub_bytes(state: bytes) -> bytes:
    """InvSubBytes (5.3.2); any length."""
    return bytes(INV_SBOX[b] for b in state)


# --- 5.1.2 to 5.1.4, 5.3.1, 5.3.3  the other transformations --------------------------------------


def shift_rows(state: bytes) -> bytes:
    """ShiftRows (5.1.2): row r moves left by r columns."""
    return bytes(state[4 * ((c + r) % 4) + r] for c in range(4) for r in range(4))


def inv_shift_rows(state: bytes) -> bytes:
    """InvShiftRows (5.3.1): row r moves right by r columns."""
    return bytes(state[4 * ((c - r) % 4) + r] for c in range(4) for r in range(4))


def _circulant(column: bytes, first: tuple[int, int, int, int]) -> bytes:
    """Product of the circulant matrix whose first row is `first` with one column of 4 bytes."""
    out = []
    for r in range(4):
        total = 0
        for k in range(4):
            total ^= gmul(first[(k - r) % 4], column[k])
        out.append(total)
    return bytes(out)


def mix_column(column: bytes) -> bytes:
    """One column of MixColumns (5.1.3), 4 bytes."""
    return _circulant(column, (0x02, 0x03, 0x01, 0x01))


def inv_mix_column(column: bytes) -> bytes:
    """One column of InvMixColumns (5.3.3), 4 bytes."""
    return _circulant(column, (0x0E, 0x0B, 0x0D, 0x09))


def mix_columns(state: bytes) -> bytes:
    """MixColumns (5.1.3); any multiple of 4 bytes."""
    return b"".join(mix_column(state[i : i + 4]) for i in range(0, len(state), 4))


def inv_mix_columns(state: bytes) -> bytes:
    """InvMixColumns (5.3.3); any multiple of 4 bytes."""
    return b"".join(inv_mix_column(state[i : i + 4]) for i in range(0, len(state), 4))


def add_round_key(state: bytes, round_key: bytes) -> bytes:
    """AddRoundKey (5.1.4): bytewise sum; equal lengths or ValueError."""
    return bytes(a ^ b for a, b in zip(state, round_key, strict=True))


# --- 5.2  KeyExpansion ----------------------------------------------------------------------------


def rounds(key: bytes) -> int:
    """Nr for a key of 16, 24 or 32 bytes (5, table 3: Nr = Nk + 6); ValueError otherwise."""
    if len(key) not in (16, 24, 32):
        raise ValueError(f"an AES key has 16, 24 or 32 bytes, not {len(key)}")
    return len(key) // 4 + 6


def rcon(i: int) -> bytes:
    """Round constant word i >= 1: x^(i-1), 0, 0, 0 (5.2)."""
    value = 1
    for _ in range(i - 1):
        value = xtime(value)
    return bytes([value, 0, 0, 0])


def rot_word(word: bytes) -> bytes:
    """RotWord (5.2): [a0, a1, a2, a3] -> [a1, a2, a3, a0]."""
    return word[1:] + word[:1]


def expand_words(key: bytes) -> list[bytes]:
    """KeyExpansion (5.2): the words w[0] to w[4*Nr + 3], 4 bytes each."""
    nk = len(key) // 4
    w = [key[4 * i : 4 * i + 4] for i in range(nk)]
    for i in range(nk, 4 * (rounds(key) + 1)):
        temp = w[i - 1]
        if i % nk == 0:
            temp = add_round_key(sub_bytes(rot_word(temp)), rcon(i // nk))
        elif nk > 6 and i % nk == 4:
            temp = sub_bytes(temp)
        w.append(add_round_key(w[i - nk], temp))
    return w


def expand_key(key: bytes) -> list[bytes]:
    """The Nr + 1 round keys of 16 bytes for Cipher and InvCipher (5.2)."""
    w = expand_words(key)
    return [b"".join(w[4 * i : 4 * i + 4]) for i in range(rounds(key) + 1)]


def expand_key_equivalent(key: bytes) -> list[bytes]:
    """The Nr + 1 round keys dw of the equivalent inverse cipher (5.3.5), in encryption order:
    InvMixColumns on all but the first and the last."""
    keys = expand_key(key)
    return [keys[0], *(inv_mix_columns(k) for k in keys[1:-1]), keys[-1]]


# --- 5.1, 5.3, 5.3.5  Cipher, InvCipher, EqInvCipher ----------------------------------------------

Trace = Callable[[int, str, bytes], None]
"""Called with (round, step, state); steps are named as in appendix C: start, s_box, k_sch, ..."""


def _silent(_round: int, _step: str, _state: bytes) -> None:
    """The trace that keeps nothing."""


def _block(block: bytes) -> bytes:
    """The block itself if it has 16 bytes; ValueError otherwise."""
    if len(block) != 16:
        raise ValueError(f"an AES block has 16 bytes, not {len(block)}")
    return bytes(block)


def cipher(block: bytes, key: bytes, trace: Trace = _silent) -> bytes:
    """Cipher (5.1): encrypt 16 bytes under a key of 16, 24 or 32."""
    nr, keys = rounds(key), expand_key(key)
    state = _block(block)
    trace(0, "input", state)
    trace(0, "k_sch", keys[0])
    state = add_round_key(state, keys[0])
    for i in range(1, nr + 1):
        trace(i, "start", state)
        state = sub_bytes(state)
        trace(i, "s_box", state)
        state = shift_rows(state)
        trace(i, "s_row", state)
        if i < nr:
            state = mix_columns(state)
            trace(i, "m_col", state)
        trace(i, "k_sch", keys[i])
        state = add_round_key(state, keys[i])
    trace(nr, "output", state)
    return state


def inv_cipher(block: bytes, key: bytes, trace: Trace = _silent) -> bytes:
    """InvCipher (5.3): decrypt 16 bytes under a key of 16, 24 or 32."""
    nr, keys = rounds(key), expand_key(key)
    state = _block(block)
    trace(0, "iinput", state)
    trace(0, "ik_sch", keys[nr])
    state = add_round_key(state, keys[nr])
    for i in range(1, nr + 1):
        trace(i, "istart", state)
        state = inv_shift_rows(state)
        trace(i, "is_row", state)
        state = inv_sub_bytes(state)
        trace(i, "is_box", state)
        trace(i, "ik_sch", keys[nr - i])
        state = add_round_key(state, keys[nr - i])
        if i < nr:
            trace(i, "ik_add", state)
            state = inv_mix_columns(state)
    trace(nr, "ioutput", state)
    return state


def eq_inv_cipher(block: bytes, key: bytes, trace: Trace = _silent) -> bytes:
    """EqInvCipher (5.3.5): decrypt with the order of steps of the cipher and changed round keys."""
    nr, keys = rounds(key), expand_key_equivalent(key)
    state = _block(block)
    trace(0, "iinput", state)
    trace(0, "ik_sch", keys[nr])
    state = add_round_key(state, keys[nr])
    for i in range(1, nr + 1):
        trace(i, "istart", state)
        state = inv_sub_bytes(state)
        trace(i, "is_box", state)
        state = inv_shift_rows(state)
        trace(i, "is_row", state)
        if i < nr:
            state = inv_mix_columns(state)
            trace(i, "im_col", state)
        trace(i, "ik_sch", keys[nr - i])
        state = add_round_key(state, keys[nr - i])
    trace(nr, "ioutput", state)
    return state
