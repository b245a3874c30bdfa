# SPDX-License-Identifier: Apache-2.0
"""Trivium, bit by bit, as its authors write it (C. De Canniere and B. Preneel, ISC 2006)."""

import itertools
from collections.abc import Iterator

WARM_UP = 4 * 288  # steps before the first bit of key stream


def stream(key: int, iv: int) -> Iterator[int]:
    """Yield the key stream of a key and an IV of 80 bits; their bits 79 are K1 and IV1."""
    first = [key >> (79 - at) & 1 for at in range(80)] + [0] * 13
    second = [iv >> (79 - at) & 1 for at in range(80)] + [0] * 4
    state = [0, *first, *second, *[0] * 108, 1, 1, 1]  # state[i] is s_i, from 1
    for step in itertools.count():
        t1 = state[66] ^ state[93]
        t2 = state[162] ^ state[177]
        t3 = state[243] ^ state[288]
        if step >= WARM_UP:
            yield t1 ^ t2 ^ t3
        t1 ^= state[91] & state[92] ^ state[171]
        t2 ^= state[175] & state[176] ^ state[264]
        t3 ^= state[286] & state[287] ^ state[69]
        state[2:94], state[95:178], state[179:] = state[1:93], state[94:177], state[178:288]
        state[1], state[94], state[178] = t3, t1, t2
