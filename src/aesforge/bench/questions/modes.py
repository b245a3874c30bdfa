# SPDX-License-Identifier: Apache-2.0
"""Question "modes": CCM, CMAC, XTS, GMAC, key wrap and GCM-SIV on a core."""

from aesforge.bench.job import MAX_REPORTED, Job, ct_runs, run
from aesforge.bench.questions import fewer_keys
from aesforge.records.record import Record
from aesforge.reference import modes


def ask(job: Job) -> Record:
    """CCM, CMAC, XTS, GMAC, KW, KWP, GCM-SIV: vectors, forgeries, cycles, constant time."""
    runs = ct_runs(job.kind)
    wanted = modes.checks(job.kind, tuple(job.variant.directions), runs)
    result, output, sizes = run(job, modes.stream(wanted))
    result.require(job.title)
    found = modes.judge(wanted, output)
    reason = found.reason
    claimed = job.accelerator.manifest.claims("ct", job.variant)
    if found.varying and claimed and not reason:
        varying = ", ".join(found.varying[:MAX_REPORTED])
        reason = f"claims constant time, but cycles vary: {varying}"
    return job.record(
        "failed" if reason else "passed",
        reason=reason,
        figures=found.figures,
        counts={**found.counts, "runs": runs, **sizes},
    )


def ask_fewer(job: Job) -> Record:
    """The same of a variant that lacks key lengths: these are refused, their cases left out."""
    runs = ct_runs(job.kind)
    every = modes.checks(job.kind, tuple(job.variant.directions), runs)
    wanted = modes.fewer(every, job.variant.key_bits)
    result, output, sizes = run(job, modes.stream(wanted))
    result.require(job.title)
    found = modes.judge(wanted, output)
    left_out = len(set(every) - set(wanted))
    counts = {**found.counts, "left_out": left_out, "runs": runs, **sizes}
    varying = ", ".join(found.varying[:MAX_REPORTED])
    return fewer_keys.record(job, found.reason, varying, found.figures, counts)
