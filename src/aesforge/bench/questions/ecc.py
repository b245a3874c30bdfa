# SPDX-License-Identifier: Apache-2.0
"""Question "ecc": vectors and cycles of the curves in sw/ecc."""

from collections.abc import Sequence

from aesforge.bench.job import MAX_REPORTED, Job, run_curves
from aesforge.records.record import Record
from aesforge.reference import ecc_vectors, ecc_vectors_binary
from aesforge.reference.ecc import OK, CurveCase, Generator, compare, unpack


def cases() -> list[CurveCase]:
    """All vectors of all curves."""
    loaders = (ecc_vectors.cases, ecc_vectors_binary.cases)
    return [case for load in loaders for case in load()]


def random_operands() -> dict[str, Generator]:
    """By function: how to make random valid operands for the constant-time question."""
    loaders = (ecc_vectors.random_operands, ecc_vectors_binary.random_operands)
    return {name: make for load in loaders for name, make in load().items()}


def chosen(name: str, curves: Sequence[str]) -> bool:
    """Tell whether a function belongs to the chosen curves (prefixes; none: all)."""
    return not curves or name.startswith(tuple(curves))


def ask(job: Job) -> Record:
    """Vectors, and the cycles of the first good call of each function."""
    settings = job.settings
    checks = [
        case
        for case in cases()
        if (case.sample or settings.every_vector) and chosen(case.function, settings.curves)
    ]
    output, counts = run_curves(job, b"".join(case.pack() for case in checks))
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
