# SPDX-License-Identifier: Apache-2.0
"""Question "ecc_ct": do the curves take the same number of cycles whatever the operands are?"""

import random

from aesforge.base.errors import SimulationError
from aesforge.bench.job import MAX_REPORTED, Job, run_curves
from aesforge.bench.questions.ecc import chosen, random_operands
from aesforge.records.record import Record
from aesforge.reference.ecc import OK, CurveCase, unpack

_CT_BATCH_SEED = "constant time of the curves"


def ask(job: Job) -> Record:
    """The same number of cycles for all random operands of a function."""
    runs = job.settings.ecc_runs
    rng = random.Random(_CT_BATCH_SEED)
    makers = random_operands()
    names = [name for name in makers if chosen(name, job.settings.curves)]
    calls = [
        CurveCase("ct", f"{i}", name, makers[name](rng)) for name in names for i in range(1 + runs)
    ]
    output, _ = run_curves(job, b"".join(call.pack() for call in calls))
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
