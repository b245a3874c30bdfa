# SPDX-License-Identifier: Apache-2.0
"""Calls of functions of sw/include/ecc.h for sw/harness/ecc.c, and their expected results.

A loader supplies a curve's vectors: a module with the functions `cases() -> list[CurveCase]` and
`random_operands() -> dict[str, Generator]`. A CurveCase is one call; what a core runs are the cases
marked `sample`, the first good one of each function gives its cycles. A Generator makes operands
that are valid and secret, for constant time.
"""

import random
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aesforge.base.errors import SimulationError

Generator = Callable[[random.Random], bytes]

# Errors of sw/include/ecc.h as the firmware sends them.
OK, SCALAR, POINT, SIGNATURE = 0, 1, 2, 3

UNTOUCHED = 0xA5  # what an output holds that was not written
MAX_REPORTED = 3  # wrong vectors named in a reason

_REQUEST = struct.Struct("<I28s")
_RESPONSE = struct.Struct("<4I")


@dataclass(frozen=True)
class CurveCase:
    """One call of a function of ecc.h: its concatenated operands, and the expected result."""

    suite: str
    name: str
    function: str
    operands: bytes
    status: int = OK
    output: bytes = b""  # empty where the function has none, or fails
    sample: bool = False  # also run on the cores

    def pack(self) -> bytes:
        """Return the request of sw/harness/ecc.c."""
        head = _REQUEST.pack(len(self.operands), self.function.encode())
        return head + self.operands + b"\0" * (-len(self.operands) % 4)


@dataclass(frozen=True)
class CurveAnswer:
    """What a call gave: status, clock cycles, instructions and the output buffer."""

    status: int
    cycles: int
    instructions: int
    output: bytes

    def fulfils(self, case: CurveCase) -> bool:
        """Tell whether status and output are right: nothing is written when a call fails."""
        wanted = case.output if case.status == OK else b""
        rest = self.output[len(wanted) :]
        same = self.status == case.status and self.output[: len(wanted)] == wanted
        return same and rest == bytes([UNTOUCHED]) * len(rest)


def unpack(stream: bytes, count: int) -> list[CurveAnswer]:
    """Split the firmware's output into `count` answers; SimulationError if bytes lack or remain."""
    answers: list[CurveAnswer] = []
    at = 0
    for number in range(count):
        if len(stream) < at + _RESPONSE.size:
            raise SimulationError(f"the output ends before answer {number} of {count}")
        status, cycles, instructions, length = _RESPONSE.unpack_from(stream, at)
        at += _RESPONSE.size
        answers.append(CurveAnswer(status, cycles, instructions, stream[at : at + length]))
        at += length + (-length % 4)
    if at != len(stream):
        raise SimulationError(f"the output holds {len(stream)} bytes, {at} were expected")
    return answers


def compare(
    checks: Sequence[CurveCase], answers: Sequence[CurveAnswer]
) -> tuple[Counter[str], list[str]]:
    """Return how many cases of each suite are right, and the names of the wrong ones."""
    right: Counter[str] = Counter()
    wrong: list[str] = []
    for case, answer in zip(checks, answers, strict=True):
        if answer.fulfils(case):
            right[case.suite] += 1
        else:
            wrong.append(f"{case.function} {case.suite} {case.name}")
    return right, wrong
