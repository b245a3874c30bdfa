# SPDX-License-Identifier: Apache-2.0
"""What travels over the stream device: requests of sw/harness/test.c, stream.c, stream_gcm.c."""

import struct
from dataclasses import dataclass

from aesforge.base.errors import SimulationError

MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
MAX_DATA = 16384  # bytes a request may carry

_CRYPT, _MONTE_CARLO = 1, 2
_BLOCK = 16


@dataclass(frozen=True)
class ModeRequest:
    """One set-up and one call. `key` 16, 24 or 32 bytes; `iv` 16 bytes or empty.

    `iterations` > 0 asks for the inner loop of the Monte Carlo test on one block of data.
    """

    mode: str
    decrypt: bool
    key: bytes
    iv: bytes
    data: bytes
    iterations: int = 0

    def pack(self) -> bytes:
        """Return the request as bytes."""
        command = _MONTE_CARLO if self.iterations else _CRYPT
        count = self.iterations or len(self.data)
        head = struct.pack("<5I", command, MODES[self.mode], self.decrypt, 8 * len(self.key), count)
        return head + self.key.ljust(32, b"\0") + self.iv.ljust(16, b"\0") + _padded(self.data)

    @property
    def answer_bytes(self) -> int:
        """Length of the data in a successful answer, with padding."""
        return 2 * _BLOCK if self.iterations else len(_padded(self.data))


@dataclass(frozen=True)
class ModeAnswer:
    """What the firmware sent back: the set-up's result (0: good) and the data."""

    status: int
    data: bytes
    before_last: bytes = b""  # Monte Carlo: the output before the last one


def unpack_answers(requests: list[ModeRequest], stream: bytes) -> list[ModeAnswer]:
    """Split the output of a run into answers; SimulationError if bytes are missing or left."""
    answers: list[ModeAnswer] = []
    at = 0
    for number, request in enumerate(requests):
        if len(stream) < at + 4:
            raise SimulationError(f"the output ends before answer {number} of {len(requests)}")
        (status,) = struct.unpack_from("<I", stream, at)
        length = len(_padded(request.data)) if status else request.answer_bytes
        data = stream[at + 4 : at + 4 + length]
        at += 4 + length + _BLOCK
        if request.iterations and not status:
            answers.append(ModeAnswer(status, data[:_BLOCK], data[_BLOCK:]))
        else:
            answers.append(ModeAnswer(status, data[: len(request.data)]))
    if at != len(stream):
        raise SimulationError(f"the output holds {len(stream)} bytes, {at} were expected")
    return answers


def stream_header(mode: str, decrypt: bool, key: bytes, iv: bytes) -> bytes:
    """Return what precedes the data of a file (sw/harness/stream.c)."""
    head = struct.pack("<3I", MODES[mode], decrypt, 8 * len(key))
    return head + key.ljust(32, b"\0") + iv.ljust(16, b"\0")


def gcm_header(decrypt: bool, key: bytes, iv: bytes, aad: bytes, size: int, tag: bytes) -> bytes:
    """Return what precedes the text of `size` bytes (sw/harness/stream_gcm.c)."""
    head = struct.pack("<5I", decrypt, 8 * len(key), len(iv), len(aad), size)
    return head + key.ljust(32, b"\0") + _padded(iv) + _padded(aad) + tag


def _padded(data: bytes) -> bytes:
    """Fill up to whole words."""
    return data + b"\0" * (-len(data) % 4)
