# SPDX-License-Identifier: Apache-2.0
"""Questions "ecc" and "ecc_ct": vectors, cycles and constant time of the curves in sw/ecc.

A curve's vectors come from a loader: a module with the functions `cases() -> list[Case]` and
`random_operands() -> dict[str, Generator]`. A Case is one call; what a core runs are the cases
marked `sample`, the first good one of each function gives its cycles. A Generator makes operands
that are valid and secret, for constant time.
"""

import random
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aesforge.base.errors import SimulationError

if TYPE_CHECKING:
    from aesforge.bench.measure import Job
    from aesforge.records.record import Record

Generator = Callable[[random.Random], bytes]

# Errors of sw/include/ecc.h as the firmware sends them.
OK, SCALAR, POINT, SIGNATURE = 0, 1, 2, 3

UNTOUCHED = 0xA5  # what an output holds that was not written
MAX_REPORTED = 3  # wrong vectors named in a reason
_CT_BATCH_SEED = "constant time of the curves"

_REQUEST = struct.Struct("<I28s")
_RESPONSE = struct.Struct("<4I")


@dataclass(frozen=True)
class Case:
    """One call of a function of ecc.h: its operands one behind the other, and what must come."""

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
class Answer:
    """What a call gave: status, clock cycles, instructions and the output buffer."""

    status: int
    cycles: int
    instructions: int
    output: bytes

    def fulfils(self, case: Case) -> bool:
        """Tell whether status and output are right: nothing is written when a call fails."""
        wanted = case.output if case.status == OK else b""
        rest = self.output[len(wanted) :]
        same = self.status == case.status and self.output[: len(wanted)] == wanted
        return same and rest == bytes([UNTOUCHED]) * len(rest)


def unpack(stream: bytes, count: int) -> list[Answer]:
    """Split the firmware's output into `count` answers; SimulationError if bytes lack or remain."""
    answers: list[Answer] = []
    at = 0
    for number in range(count):
        if len(stream) < at + _RESPONSE.size:
            raise SimulationError(f"the output ends before answer {number} of {count}")
        status, cycles, instructions, length = _RESPONSE.unpack_from(stream, at)
        at += _RESPONSE.size
        answers.append(Answer(status, cycles, instructions, stream[at : at + length]))
        at += length + (-length % 4)
    if at != len(stream):
        raise SimulationError(f"the output holds {len(stream)} bytes, {at} were expected")
    return answers


def cases() -> list[Case]:
    """All vectors of all curves."""
    from aesforge.reference import ecc_vectors, ecc_vectors_binary

    loaders = (ecc_vectors.cases, ecc_vectors_binary.cases)
    return [case for load in loaders for case in load()]


def random_operands() -> dict[str, Generator]:
    """By function: how to make random valid operands for the constant-time question."""
    from aesforge.reference import ecc_vectors, ecc_vectors_binary

    loaders = (ecc_vectors.random_operands, ecc_vectors_binary.random_operands)
    return {name: make for load in loaders for name, make in load().items()}


def chosen(name: str, curves: Sequence[str]) -> bool:
    """Tell whether a function belongs to the chosen curves (prefixes; none: all)."""
    return not curves or name.startswith(tuple(curves))


def compare(checks: Sequence[Case], answers: Sequence[Answer]) -> tuple[Counter[str], list[str]]:
    """Return how many cases of each suite are right, and the names of the wrong ones."""
    right: Counter[str] = Counter()
    wrong: list[str] = []
    for case, answer in zip(checks, answers, strict=True):
        if answer.fulfils(case):
            right[case.suite] += 1
        else:
            wrong.append(f"{case.function} {case.suite} {case.name}")
    return right, wrong


def ask(job: "Job") -> "Record":
    """Answer question ecc or ecc_ct of a job."""
    return _ask_vectors(job) if job.question == "ecc" else _ask_constant_time(job)


def _ask_vectors(job: "Job") -> "Record":
    """Vectors, and the cycles of the first good call of each function."""
    from aesforge.bench.measure import run_ecc

    settings = job.settings
    checks = [
        case
        for case in cases()
        if (case.sample or settings.every_vector) and chosen(case.function, settings.curves)
    ]
    output, counts = run_ecc(job, b"".join(case.pack() for case in checks))
    answers = unpack(output, len(checks))
    right, wrong = compare(checks, answers)
    for case, answer in zip(checks, answers, strict=True):
        if case.sample and case.status == OK and f"{case.function}_cycles" not in counts:
            counts[f"{case.function}_cycles"] = answer.cycles
            counts[f"{case.function}_instructions"] = answer.instructions
    counts |= {"right": right.total(), "wrong": len(wrong)}
    if wrong:
        named = ", ".join(wrong[:MAX_REPORTED]) + (", ..." if len(wrong) > MAX_REPORTED else "")
        reason = f"{len(wrong)} of {len(checks)} vectors wrong: {named}"
        return job.record("failed", counts=counts, reason=reason)
    return job.record("passed", counts=counts)


def _ask_constant_time(job: "Job") -> "Record":
    """The same number of cycles for all random operands of a function."""
    from aesforge.bench.measure import run_ecc

    runs = job.settings.ecc_runs
    rng = random.Random(_CT_BATCH_SEED)
    makers = random_operands()
    names = [name for name in makers if chosen(name, job.settings.curves)]
    calls = [Case("ct", f"{i}", name, makers[name](rng)) for name in names for i in range(1 + runs)]
    output, _ = run_ecc(job, b"".join(call.pack() for call in calls))
    seen: dict[str, list[int]] = {}
    for call, answer in zip(calls, unpack(output, len(calls)), strict=True):
        if answer.status != OK:
            raise SimulationError(f"{job.title}: {call.function} refused valid operands")
        cycles = seen.setdefault(call.function, [])
        if call.name != "0":  # the first call finds cold caches
            cycles.append(answer.cycles)
    spreads = {name: max(cycles) - min(cycles) for name, cycles in seen.items()}
    counts = {"runs": runs, "spread_max": max(spreads.values(), default=0), **spreads}
    if varying := [f"{name} by {spread}" for name, spread in spreads.items() if spread]:
        reason = f"cycles vary: {', '.join(varying[:MAX_REPORTED])}"
        return job.record("failed", counts=counts, reason=reason)
    return job.record("passed", counts=counts)
